import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { exportJWK, generateKeyPair } from 'jose';
import { createSessionTokens, type SessionTokens } from '../../functions/shared/auth/session-token.ts';
import { createSigningKeys } from '../../functions/shared/auth/signing-keys.ts';
import { succeed } from '../../functions/shared/domain/outcome.ts';
import type { StoredTransaction } from '../../functions/shared/domain/transaction.ts';
import { createListingAuditor } from '../../functions/shared/store/listing-audit.ts';
import type { ListingSettings } from '../../functions/shared/store/listing-settings.ts';
import { createMemoryEstate } from '../../functions/shared/store/memory-estate.ts';
import { createMemoryPartners } from '../../functions/shared/store/memory-partners.ts';
import { createNumericIds } from '../../functions/shared/store/numeric-ids-table.ts';
import { createRequestStore } from '../../functions/shared/store/request-table.ts';
import { scanTable } from '../../functions/shared/store/table-scan.ts';
import { fromItem } from '../../functions/shared/store/transaction-item.ts';
import { createTransactionReader } from '../../functions/shared/store/transaction-reader.ts';
import { createTransactionWriter } from '../../functions/shared/store/transaction-writer.ts';
import { createFront as createV1 } from '../../functions/v1-transaction/front.ts';
import { createFront as createV2 } from '../../functions/v2-write/front.ts';
import { aPartner } from './a-partner.ts';
import { addTables, clientOf, documentsOf, type TestEngine } from './engine.ts';
import { type ChooseFault, injectFaults } from './faults.ts';
import { type Ask, httpEvent } from './http-event.ts';
import { aNewTransaction } from './transactions.ts';
import { createTurns } from './turns.ts';

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
  groupSoftware: null,
}));
export const partners = [
  aPartner({ clientId: 'WIDE', name: 'Wide', grants: [{ group: 'G1' }, { group: 'G2' }] }),
  aPartner({ clientId: 'NARROW', name: 'Narrow', grants: [{ group: 'G1' }] }),
];

/** One request of one writer, as what it sends to the store is marked with. */
export type Request = { operation: number; isDead: boolean; crashesAt: number; sent: number };

/** One state of one transaction that the engine took. */
export type Commit = { operation: number; after: StoredTransaction };

export type World = Awaited<ReturnType<typeof openWorld>>;

export type WorldOptions = {
  engine: TestEngine;
  suffix: string;
  random: () => number;
  chooseFault?: ChooseFault;
  settings?: ListingSettings;
  /** Damages what is sent, or what is read, to see that it is noticed. */
  damage?: (documents: DynamoDBDocumentClient) => void;
  misread?: (stored: StoredTransaction) => StoredTransaction;
};

const tinySettings = { radix: { leafBits: 2, fanBits: 1 }, shards: 1, fewNodes: 2, fewEntries: 0 };
const tableNames = ['Transactions', 'Listing', 'Requests'];

/** Both write functions over tables of their own: requests go in, what the engine took is recorded. */
export const openWorld = async ({
  engine,
  suffix,
  random,
  chooseFault = () => undefined,
  settings = tinySettings,
  damage = () => {},
  misread = (stored) => stored,
}: WorldOptions) => {
  await addTables(engine.client, suffix, tableNames);
  const [transactionsTable = '', listingTable = '', requestsTable = ''] = tableNames.map(
    (name) => `${name}${suffix}`,
  );
  const turns = createTurns();
  const requests = new AsyncLocalStorage<Request>();
  const commits: Commit[] = [];
  const documents = documentsOf(clientOf(engine.endpoint));
  dieWhenToldTo(documents, requests, turns.turn);
  injectFaults(documents, (...asked) => (requests.getStore() ? chooseFault(...asked) : undefined));
  damage(documents);
  recordCommits(documents, transactionsTable, (after) => {
    commits.push({ operation: requests.getStore()?.operation ?? -1, after });
  });
  const tables = { documents, transactionsTable, listingTable, requestsTable, settings };
  const patience = { random, sleep: async () => {} };
  const reader = createTransactionReader({ ...tables, patience, estateOf: async () => [] });
  const store = {
    ...reader,
    byUuid: async (uuid: string) => {
      const stored = await reader.byUuid(uuid);
      return stored && misread(stored);
    },
    ...createTransactionWriter({ ...tables, patience, newToken: countedTokens(suffix) }),
  };
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const shared = {
    transactions: store,
    requests: createRequestStore({ ...tables, patience }),
    estate: await estateOfOwners(),
    random: countedBytes(),
    patience,
    log: () => {},
    clock: () => {
      nowMs += 7;
      return new Date(nowMs);
    },
  };
  const tokens = await sessionTokens();
  const v1 = createV1({ ...shared, tokens, baseUrl });
  const v2 = createV2({
    ...shared,
    ids: createNumericIds({ ...tables, patience }),
    partners: createMemoryPartners(partners.map((partner) => ({ partner, secrets: [] }))),
    verify: async (clientId) =>
      succeed({ clientId, jti: 'jti', scopes: ['nop2/read', 'nop2/write'] as const }) as never,
  });

  return {
    turns,
    requests,
    commits,
    store,
    clock: shared.clock,
    ask: async (request: Request, target: string, more: Ask) => {
      const front = target.includes('/v2/') ? v2 : v1;
      return requests.run(request, async () =>
        toReply(await front(httpEvent(target, more) as never, {} as Context)),
      );
    },
    tokenOf: (session: string) => tokens.issue(session),
    /** A transaction that is there from the beginning. */
    given: async (uuid: string, session: string) => {
      const [owner] = owners;
      const outcome = await store.create(
        aNewTransaction({ uuid, ...(owner && { ndMeta: owner }) }, { session }),
      );
      if (!outcome.ok) throw new Error(outcome.reason);
      return uuid;
    },
    everything: async () => {
      const clean = { ...tables, documents: engine.documents, patience };
      const all: StoredTransaction[] = [];
      for await (const items of scanTable(clean, transactionsTable)) all.push(...items.map(fromItem));
      let records = 0;
      for await (const items of scanTable(clean, requestsTable)) records += items.length;
      const { entryDrift, counterDrift } = await createListingAuditor(clean).audit();
      return { all, records, drift: [...entryDrift, ...counterDrift] };
    },
  };
};

/** A process that dies sends nothing more, whatever its code does then; the next request is a new process. */
const dieWhenToldTo = (
  documents: DynamoDBDocumentClient,
  requests: AsyncLocalStorage<Request>,
  turn: () => Promise<void>,
) =>
  documents.middlewareStack.add(
    (next) => async (args) => {
      const request = requests.getStore();
      if (!request) return next(args);
      if (request.isDead) throw new TypeError('dead');
      await turn();
      request.sent += 1;
      if (request.crashesAt === request.sent) die(request);
      const answer = await next(args);
      if (request.crashesAt === request.sent + 0.5) die(request);
      return answer;
    },
    { step: 'initialize', priority: 'high', name: 'die' },
  );

const die = (request: Request): never => {
  request.isDead = true;
  throw new TypeError('dead');
};

type Put = { TableName?: string; Item?: Record<string, unknown> };
type Sent = { TransactItems?: { Put?: Put }[]; ClientRequestToken?: string } & Put;

/** Innermost: what is recorded here the engine has answered as done. A token that comes again is not done again. */
const recordCommits = (
  documents: DynamoDBDocumentClient,
  table: string,
  record: (after: StoredTransaction) => void,
) => {
  const tokens = new Set<string>();
  documents.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { TransactItems, ClientRequestToken: token, ...alone } = args.input as Sent;
      const isRepeated = token !== undefined && tokens.has(token);
      if (token !== undefined) tokens.add(token);
      const puts = TransactItems ? TransactItems.map(({ Put }) => Put) : [alone];
      for (const put of puts)
        if (put?.TableName === table && put.Item && !isRepeated)
          record(fromItem(JSON.parse(JSON.stringify(put.Item))));
      return answer;
    },
    { step: 'initialize', priority: 'low', name: 'recordCommits' },
  );
};

const estateOfOwners = async () => {
  const estate = createMemoryEstate();
  for (const [index, owner] of owners.entries())
    await estate.register({
      name: owner.location,
      owner,
      origins: [shop],
      retired: false,
      createdAtMs: index,
    });
  return estate;
};

let keys: Promise<string> | undefined;

const sessionTokens = async (): Promise<SessionTokens> => {
  keys ??= (async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: 'session-1', alg: 'ES256', use: 'sig' };
    return JSON.stringify({ keys: [key], active: 'session-1' });
  })();
  const clock = () => new Date('2026-03-01T12:00:00Z');
  const text = await keys;
  return createSessionTokens({ keys: createSigningKeys(async () => text), baseUrl, clock });
};

const countedBytes = () => {
  let calls = 0;
  return (size: number) => {
    calls += 1;
    return createHash('sha512').update(String(calls)).digest().subarray(0, size);
  };
};

const countedTokens = (suffix: string) => {
  let tokens = 0;
  return () => {
    tokens += 1;
    return `token${suffix}-${tokens}`;
  };
};

export type Reply = { status: number; headers: Record<string, unknown>; text: string };

const toReply = ({ statusCode, headers = {}, body }: APIGatewayProxyResult): Reply => ({
  status: statusCode,
  headers,
  text: body,
});
