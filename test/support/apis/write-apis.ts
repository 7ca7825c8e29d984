import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import { createSessionTokens, type SessionTokens } from '../../../functions/shared/auth/session-token.ts';
import type { SigningKeys } from '../../../functions/shared/auth/signing-keys.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { RetryDelays } from '../../../functions/shared/store/dynamodb/retry.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { createNumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { createTransactionReader } from '../../../functions/shared/store/transactions/reader.ts';
import type { WriterDeps } from '../../../functions/shared/store/transactions/write.ts';
import { createPipeline as createV1 } from '../../../functions/v1-transaction/pipeline.ts';
import { createPipeline as createV2 } from '../../../functions/v2-write/pipeline.ts';
import { aPartner, aSecret } from '../builders/a-partner.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import { heldKeys } from '../builders/key-rings.ts';
import { createMemoryCursorKeys } from '../memory/cursor-keys.ts';
import { createMemoryPartners } from '../memory/partners.ts';
import { createMemoryStorefronts } from '../memory/storefronts.ts';
import { aSessionKey, countedBytes, partsOfV2, tokensWith, withoutSignIn } from './stand-ins.ts';

export const shop = 'https://shop.example';
const baseUrl = 'https://api.example';

/** Where transactions belong; the second partner sees the first group alone. */
export const owners = [
  ['G1', 'north'],
  ['G1', 'south'],
  ['G2', 'east'],
].map(([group = '', location = '']) => ({
  group,
  franchise: 'F',
  branch: `Branch ${location}`,
  location,
  groupSoftware: '',
}));
export const partners = [
  aPartner({ clientId: 'WIDE', name: 'Wide', grants: [{ group: 'G1' }, { group: 'G2' }] }),
  aPartner({ clientId: 'NARROW', name: 'Narrow', grants: [{ group: 'G1' }] }),
];

export type WriteApisDeps = WriterDeps & {
  requestsTable: string;
  debounceTable: string;
  retryDelays: RetryDelays;
  /** Damages what is read, to show that the test notices it. */
  misread?: (stored: StoredTransaction) => StoredTransaction;
};

/** Both write functions over real tables; partners, storefronts and the clock are stand-ins. A V2 token is the client id. */
export const openWriteApis = async ({ misread = (stored) => stored, ...deps }: WriteApisDeps) => {
  const reader = createTransactionReader({ ...deps, membersOf: async () => [] });
  const byUuid = async (uuid: string) => {
    const stored = await reader.byUuid(uuid);
    return stored && misread(stored);
  };
  const store = { ...reader, ...createImportWriter(deps), byUuid };
  const clock = risingClock();
  const shared = {
    transactions: store,
    requests: createRequestStore(deps),
    storefronts: await storefrontsOfOwners(),
    random: countedBytes(),
    retryDelays: deps.retryDelays,
    log: () => {},
    clock,
  };
  const partnerStore = createMemoryPartners(partners.map((partner) => ({ partner, secrets: [aSecret()] })));
  const tokens = await sessionTokens();
  const v1 = createV1({
    ...{ ...shared, tokens, baseUrl, cursorKeys: createMemoryCursorKeys() },
    ...withoutSignIn(),
  });
  const v2 = createV2({
    ...partsOfV2(),
    ...shared,
    ids: createNumericIds(deps),
    partners: partnerStore,
    // Markers of completions stay unclaimed.
    askForCompletion: async () => {},
    verify: tokensWith('read', 'write'),
  });
  return {
    store,
    clock,
    ask: async (target: string, more: Ask) => {
      const pipeline = target.includes('/v2/') ? v2 : v1;
      return toReply(await pipeline(httpEvent(target, more) as never, {} as Context));
    },
    tokenOf: keptTokens(tokens),
  };
};

/** One token for each session serves all its requests. */
const keptTokens = ({ issue }: SessionTokens) => {
  const kept = new Map<string, Promise<string>>();
  return (session: string) => {
    const token = kept.get(session) ?? issue(session);
    kept.set(session, token);
    return token;
  };
};

const risingClock = () => {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  return () => {
    nowMs += 7;
    return new Date(nowMs);
  };
};

const storefrontsOfOwners = async () => {
  const storefronts = createMemoryStorefronts();
  for (const [index, owner] of owners.entries())
    await storefronts.register({
      name: owner.location,
      owner,
      origins: [shop],
      retired: false,
      createdAtMs: index,
    });
  return storefronts;
};

let keys: Promise<SigningKeys> | undefined;

const sessionTokens = async (): Promise<SessionTokens> => {
  keys ??= aSessionKey().then((key) => heldKeys([key]));
  const clock = () => new Date('2026-03-01T12:00:00Z');
  return createSessionTokens({ keys: await keys, baseUrl, clock });
};

export type Reply = { status: number; headers: Record<string, unknown>; text: string };

const toReply = ({ statusCode, headers = {}, body }: APIGatewayProxyResult): Reply => ({
  status: statusCode,
  headers,
  text: body,
});
