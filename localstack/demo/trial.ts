import { createClient, isTransactionsError } from '../../partner-kit/src/index.ts';
import type { DemoPartner, StackFile } from '../stack-file.ts';

/** What a person can try: as which demo partner, and with which of the transactions that it sees, open as they are now. */
export type Trial = { partner: DemoPartner; open: string[] };

/** Asks the API itself, since data is kept: a transaction may be paid by now, and a partner be gone. */
export const findTrial = async (
  { baseUrl, authUrl, partners }: Pick<StackFile, 'baseUrl' | 'authUrl' | 'partners'>,
  send: typeof fetch = fetch,
): Promise<Trial | undefined> => {
  for (const partner of partners) {
    const { clientId, clientSecret } = partner;
    const client = createClient({ baseUrl, authUrl, clientId, clientSecret, attempts: 1, fetch: send });
    const page = await client.list({ filter: { status: 0 }, perPage: 2, fields: ['uuid'] }).catch(ifRefused);
    if (page) return { partner, open: page.data.map(({ uuid }) => uuid) };
  }
  return undefined;
};

const ifRefused = (fault: unknown): undefined => {
  if (!isTransactionsError(fault)) throw fault;
};
