import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createListingAuditor } from '../../../bin/operator/store/listing/audit.ts';
import { scanTable } from '../../../bin/operator/store/scan.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { fromItem } from '../../../functions/shared/store/transactions/item.ts';
import { openWriteApis, owners } from '../../support/apis/write-apis.ts';
import type { Ask } from '../../support/builders/http-event.ts';
import { aNewTransaction } from '../../support/builders/transactions.ts';
import { addTables, clientOf, documentsOf, type TestEngine } from '../../support/engine/engine.ts';
import { type ChooseFault, injectFaults } from '../../support/engine/faults.ts';
import { createTurns, type Turns } from '../../support/engine/turns.ts';

/** One request of one writer, as what it sends to the store is marked with. */
export type Request = { operation: number; isDead: boolean; crashesAt: number; sent: number };

/** One state of one transaction that the engine took. */
export type Commit = { operation: number; after: StoredTransaction };

/** What a completion leaves for the flush. */
export type Marker = { pk: string; sk: string; version: number };

export type World = Awaited<ReturnType<typeof openWorld>>;

type WorldOptions = {
  engine: TestEngine;
  suffix: string;
  random: () => number;
  chooseFault?: ChooseFault;
};

/** So small that few transactions fill rollups and runs. */
export const tinySettings = {
  radix: { leafBits: 2, fanBits: 1 },
  shards: { group: 2, franchise: 2, location: 1 },
  fewRollups: 2,
  fewEntries: 0,
  unitEntries: 3,
};
const tableNames = ['Transactions', 'Listing', 'Requests', 'Debounce'];

/** Both write functions over tables of their own: requests go in, what the engine took is recorded. */
export const openWorld = async ({ engine, suffix, random, chooseFault = () => undefined }: WorldOptions) => {
  await addTables(engine.client, suffix, tableNames);
  const [transactionsTable = '', listingTable = '', requestsTable = '', debounceTable = ''] = tableNames.map(
    (name) => `${name}${suffix}`,
  );
  const turns = createTurns();
  const requests = new AsyncLocalStorage<Request>();
  const commits: Commit[] = [];
  const documents = documentsOf(clientOf(engine.endpoint));
  dieWhenToldTo(documents, requests, turns.inTurn);
  injectFaults(documents, (...asked) => (requests.getStore() ? chooseFault(...asked) : undefined));
  recordCommits(documents, transactionsTable, (after) => {
    commits.push({ operation: requests.getStore()?.operation ?? -1, after });
  });
  const tables = {
    documents,
    transactionsTable,
    listingTable,
    requestsTable,
    debounceTable,
    settings: tinySettings,
  };
  const retryDelays = { random, sleep: async () => {} };
  const newToken = countedTokens(suffix);
  const { store, clock, tokenOf, ask } = await openWriteApis({ ...tables, retryDelays, newToken });

  return {
    turns,
    requests,
    commits,
    store,
    clock,
    tokenOf,
    ask: (request: Request, target: string, more: Ask) => requests.run(request, () => ask(target, more)),
    /** A checkout that is there from the beginning, and in which nothing was entered yet. */
    given: async (uuid: string, session: string) => {
      const [owner] = owners;
      const outcome = await store.create(
        aNewTransaction({ uuid, ...(owner && { ndMeta: owner }) }, { session, notifyFromVersion: 2 }),
      );
      if (!outcome.ok) throw new Error(outcome.reason);
      return uuid;
    },
    everything: async () => {
      const clean = { ...tables, documents: engine.documents, retryDelays };
      const all: StoredTransaction[] = [];
      for await (const items of scanTable(clean, transactionsTable)) all.push(...items.map(fromItem));
      let records = 0;
      // Beside the answers lie the counts of sessions.
      for await (const items of scanTable(clean, requestsTable))
        records += items.filter(({ pk }) => String(pk).startsWith('IDEM#')).length;
      const markers: Marker[] = [];
      for await (const items of scanTable(clean, debounceTable)) markers.push(...(items as Marker[]));
      const { entryDrift, counterDrift } = await createListingAuditor(clean).audit();
      return { all, records, markers, drift: [...entryDrift, ...counterDrift] };
    },
  };
};

/** A dead process sends nothing more, whatever its code does. The next request starts a new process. */
const dieWhenToldTo = (
  documents: DynamoDBDocumentClient,
  requests: AsyncLocalStorage<Request>,
  inTurn: Turns['inTurn'],
) =>
  documents.middlewareStack.add(
    (next) => async (args) => {
      const request = requests.getStore();
      if (!request) return next(args);
      if (request.isDead) throw new TypeError('dead');
      return inTurn(async () => {
        request.sent += 1;
        if (request.crashesAt === request.sent) die(request);
        const answer = await next(args);
        if (request.crashesAt === request.sent + 0.5) die(request);
        return answer;
      });
    },
    { step: 'initialize', priority: 'high', name: 'die' },
  );

const die = (request: Request): never => {
  request.isDead = true;
  throw new TypeError('dead');
};

type Put = { TableName?: string; Item?: Record<string, unknown> };
type Sent = { TransactItems?: { Put?: Put }[]; ClientRequestToken?: string } & Put;

/** The innermost layer: the engine has answered these as done. A repeated token is not executed again. */
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

const countedTokens = (suffix: string) => {
  let tokens = 0;
  return () => {
    tokens += 1;
    return `token${suffix}-${tokens}`;
  };
};
