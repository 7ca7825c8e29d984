import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import type { Ask } from '../builders/http-event.ts';
import { aNewTransaction, anOwner, uuidOf } from '../builders/transactions.ts';
import { aStorefront, aV1, shop } from './v1-transaction.ts';
import { aV2Write } from './v2-write.ts';

export const uuid = uuidOf(1);
const session = 's1';
const clock = () => new Date('2026-03-01T12:00:00.500Z');

/** Every write there is, by what it is called in `run`. */
const writes = {
  'V1 create': { method: 'POST', path: '/api/transaction' },
  'V1 patch': { method: 'PATCH', path: `/api/transaction/${uuid}` },
  'V1 put': { method: 'PUT', path: `/api/transaction/${uuid}` },
  'V2 patch': { method: 'PATCH', path: `/api/v2/transaction/${uuid}` },
  'V2 put': { method: 'PUT', path: `/api/v2/transaction/${uuid}` },
  'V2 payment': { method: 'POST', path: '/api/v2/payment' },
} as const;
export type WriteName = keyof typeof writes;
export const writeNames = Object.keys(writes) as WriteName[];

const tokens = {
  issue: async (id: string) => id,
  verify: async (token: string) =>
    token === session
      ? succeed({
          ...{ id: session, beganAt: clock(), issuedAt: clock() },
          expiresAt: new Date('2026-04-01T00:00:00Z'),
        })
      : refuse('wrong-claims'),
};

/** Both APIs over one set of stores in memory, with one transaction of one session, and tokens that cost nothing. */
export const aService = async (changes: Partial<Transaction> = {}) => {
  const registered = ['location-a', 'location-b'].map((location) =>
    aStorefront('franchise-a', location, { owner: anOwner({ location }) }),
  );
  const v2 = await aV2Write({ registered, clock });
  const { store: transactions, requests } = v2;
  const v1 = await aV1({ registered, transactions, requests, tokens, clock });
  await transactions.createMany([aNewTransaction({ uuid, ...changes }, { session })]);

  const run = (name: WriteName, body: string, { headers, ...more }: Ask = {}) => {
    const { method, path } = writes[name];
    const target = `${path}?expand=vehicle,payments,ndMeta,deliveryCollection,customer`;
    const json = { 'Content-Type': 'application/json', Origin: shop, ...headers };
    return name.startsWith('V1')
      ? v1.as(session, target, { method, body, headers: json, ...more })
      : v2.ask(target, { method, body, headers: json, ...more });
  };
  const all = async () => {
    const stored: StoredTransaction[] = [];
    for await (const one of transactions.inCreationOrder()) stored.push(one);
    return stored;
  };
  return { run, all, transactions };
};
