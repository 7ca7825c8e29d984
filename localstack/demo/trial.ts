import type { Grant } from '../../functions/shared/domain/ownership/grant.ts';
import { createClient, isTransactionsError } from '../../partner-kit/src/index.ts';
import type { DemoPartner, StackFile } from '../stack-file.ts';

/** What a person can try as a demo partner, as things are now. */
export type Trial = {
  partner: DemoPartner;
  grants: Grant[];
  /** Transactions that it sees and that are unpaid; two at most. */
  open: string[];
  webhookUrl: string | null;
};

type Stage = Pick<StackFile, 'baseUrl' | 'authUrl' | 'partners'>;

/**
 * A trial for each demo partner that may read. It asks the API itself, since data is kept: a transaction may be paid by
 * now, a secret have ended, a webhook lead elsewhere, a grant have been given.
 */
export const findTrials = async (stage: Stage, send: typeof fetch = fetch): Promise<Trial[]> => {
  const trials = await Promise.all(stage.partners.map((partner) => trialOf(partner, stage, send)));
  return trials.filter((trial) => trial !== undefined);
};

const trialOf = async (
  partner: DemoPartner,
  { baseUrl, authUrl }: Stage,
  send: typeof fetch,
): Promise<Trial | undefined> => {
  const { clientId, clientSecret } = partner;
  const client = createClient({ baseUrl, authUrl, clientId, clientSecret, attempts: 1, fetch: send });
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
