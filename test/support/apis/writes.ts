import type { Context } from 'aws-lambda';
import { refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { createPipeline as createV1 } from '../../../functions/v1-transaction/pipeline.ts';
import { createPipeline as createV2 } from '../../../functions/v2-write/pipeline.ts';
import { aPartner, aSecret } from '../builders/a-partner.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import { aNewTransaction, anOwner, uuidOf } from '../builders/transactions.ts';
import { createMemoryCursorKeys } from '../memory/cursor-keys.ts';
import { createMemoryNumericIds } from '../memory/numeric-ids.ts';
import { createMemoryPartners } from '../memory/partners.ts';
import { memoryStores } from '../memory/publishing.ts';
import { createMemoryStorefronts } from '../memory/storefronts.ts';
import { partsOfV2, tokensWith, withoutDelays, withoutSignIn } from './stand-ins.ts';
import { read } from './v2-read.ts';

export const uuid = uuidOf(1);
const session = 's1';
const origin = 'https://shop.example';
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
  const { transactions, requests } = memoryStores(clock);
  await transactions.createMany([aNewTransaction({ uuid, ...changes }, { session })]);
  const storefronts = createMemoryStorefronts();
  for (const location of ['location-a', 'location-b']) {
    const owner = anOwner({ location });
    await storefronts.register({ name: location, owner, origins: [origin], retired: false, createdAtMs: 0 });
  }
  const partner = aPartner();
  const partners = createMemoryPartners([{ partner, secrets: [aSecret()] }]);
  const shared = {
    transactions,
    requests,
    storefronts,
    clock,
    random: (size: number) => crypto.getRandomValues(new Uint8Array(size)),
    retryDelays: withoutDelays,
    log: () => {},
  };
  const v1 = createV1({
    ...shared,
    tokens,
    ...withoutSignIn(),
    cursorKeys: createMemoryCursorKeys(),
    baseUrl: 'https://api.example',
  });
  const v2 = createV2({
    ...partsOfV2(),
    ...shared,
    ids: createMemoryNumericIds(),
    partners,
    askForCompletion: async () => {},
    verify: tokensWith('read', 'write'),
  });
  const run = async (name: WriteName, body: string, { headers, ...more }: Ask = {}) => {
    const { method, path } = writes[name];
    const isV1 = name.startsWith('V1');
    const event = httpEvent(`${path}?expand=vehicle,payments,ndMeta,deliveryCollection,customer`, {
      method,
      body,
      headers: {
        Authorization: `Bearer ${isV1 ? session : partner.clientId}`,
        'Content-Type': 'application/json',
        Origin: origin,
        ...headers,
      },
      ...more,
    });
    return read(await (isV1 ? v1 : v2)(event, {} as Context));
  };
  const all = async () => {
    const stored: StoredTransaction[] = [];
    for await (const one of transactions.inCreationOrder()) stored.push(one);
    return stored;
  };
  return { run, all, transactions };
};
