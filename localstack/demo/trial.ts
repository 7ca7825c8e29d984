import type { Grant } from '../../functions/shared/domain/ownership/grant.ts';
import { createClient, isTransactionsError } from '../../partner-kit/src/index.ts';
import type { DemoPartner, StackFile } from '../stack-file.ts';

/** The facts for the printed `curl` lines of a demo partner. */
export type Trial = {
  partner: DemoPartner;
  grants: Grant[];
  /** Unpaid transactions that the partner sees, two at most. */
  open: string[];
  webhookUrl: string | null;
};

type Stage = Pick<StackFile, 'baseUrl' | 'authUrl' | 'partners'>;

/**
 * A trial for each demo partner that may read. It asks the API, since kept data may have changed: a paid transaction, an ended
 * secret, another webhook, a new grant.
 */
export const findTrials = async (stage: Stage): Promise<Trial[]> => {
  const trials = await Promise.all(stage.partners.map((partner) => trialOf(partner, stage)));
  return trials.filter((trial) => trial !== undefined);
};

const trialOf = async (partner: DemoPartner, { baseUrl, authUrl }: Stage): Promise<Trial | undefined> => {
  const { clientId, clientSecret } = partner;
  const client = createClient({ baseUrl, authUrl, clientId, clientSecret, attempts: 1 });
  try {
    const { data } = await client.transactions.list({ filter: { status: 0 }, perPage: 2, fields: ['uuid'] });
    const webhook = await client.webhook.retrieve();
    const grants = (await client.partner.retrieve()).data.grants.map(
      ({ branches: _named, branchCount: _count, ...grant }) => grant,
    );
    return { partner, grants, open: data.map(({ uuid }) => uuid), webhookUrl: webhook.data.url };
  } catch (fault) {
    if (isTransactionsError(fault)) return undefined;
    throw fault;
  }
};
