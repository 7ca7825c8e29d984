import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb';
import { isPendingDelivery } from '../../../functions/shared/domain/event/new-delivery.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { deliveryItem, eventItems } from '../../../functions/shared/store/debounce/delivery-log-items.ts';
import { createDeliveryLogPages } from '../../../functions/shared/store/debounce/delivery-log-page.ts';
import { eventIdOfKey } from '../../../functions/shared/store/debounce/keys.ts';
import { createPartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import { profileKey } from '../../../functions/shared/store/partners/keys.ts';
import { createChangeIndex } from '../../../functions/shared/store/transactions/changed-index.ts';
import { changedIn } from '../../../functions/shared/store/transactions/changed-keys.ts';
import type { Random } from '../../support/builders/random.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Process, Processes } from '../kernel/process.ts';
import type { Stores } from './stores.ts';

type Row = Record<string, unknown>;
type Query = {
  IndexName?: string;
  ScanIndexForward?: boolean;
  ExclusiveStartKey?: Row;
  ExpressionAttributeValues?: Row;
};

export type TableReadsDeps = {
  processes: Processes;
  stores: Stores;
  random: Random;
  /** Whether the index of the delivery log shows a row yet. */
  isIndexed: (row: Row) => boolean;
};

/** A page is full after so few rows: DynamoDB's are full after 1 MB. */
const mostRows = 4;
/** The stand-ins leave out what has expired; what they answer never has. */
const farAway = new Date('2100-01-01T00:00:00Z');
const debounceTable = 'Debounce';
const partnersTable = 'Partners';

/**
 * The stores whose answers come in parts, as production has them, over a table that answers in small pages, leaves keys
 * unprocessed, and whose indexes are late: lists of the delivery log, the directory of partners, what changed.
 */
export const createTableReads = ({ processes, stores, random, isIndexed }: TableReadsDeps) => {
  const answers: { [index: string]: (values: Row) => Promise<Row[]> } = {
    names: async () => {
      const partners = await stores.partners.all();
      return partners.map(({ clientId, name }) => ({ clientId, order: name }));
    },
    byPartner: async ({ ':value': clientId, ...span }) =>
      (await deliveryLogRows(stores, span, { clientId: String(clientId) })).filter(isIndexed),
    byTransaction: async ({ ':value': uuid, ...span }) =>
      (await deliveryLogRows(stores, span, { uuid: String(uuid) })).filter(isIndexed),
    partition: async ({ ':pk': pk }) => rowsOfEvent(stores, String(pk)),
    changed: async ({ ':partition': partition, ':from': fromMs, ':last': lastMs }) => {
      const rows: Row[] = [];
      const span = { fromMs: Number(fromMs), toMs: Number(lastMs) + 1 };
      for await (const {
        uuid,
        version,
        notifyFromVersion,
        updatedAtMs,
      } of stores.ports.changes.changedBetween(span)) {
        const part = changedIn({ transaction: { uuid }, version, notifyFromVersion, updatedAtMs } as never);
        const order = `${String(updatedAtMs).padStart(16, '0')} ${uuid}`;
        if (part === partition) rows.push({ uuid, version, notifyFromVersion, updatedAtMs, order });
      }
      return rows.sort((one, other) => (String(one.order) < String(other.order) ? -1 : 1));
    },
  };

  const query = async (asked: Query) => {
    const { IndexName, ScanIndexForward, ExclusiveStartKey: start, ExpressionAttributeValues = {} } = asked;
    const place = IndexName ?? (':pk' in ExpressionAttributeValues ? 'partition' : 'names');
    const found = (await answers[place]?.(ExpressionAttributeValues)) ?? [];
    // Those of the delivery log's indexes come newest first.
    const isDescending = place.startsWith('by') && ScanIndexForward !== true;
    const rows = place.startsWith('by') && !isDescending ? found.toReversed() : found;
    const isBehind = ({ order }: Row) =>
      start === undefined || (isDescending ? String(order) < orderOf(start) : String(order) > orderOf(start));
    const rest = rows.filter(isBehind);
    const Items = rest.slice(0, mostRows);
    const last = rest.length > mostRows ? Items.at(-1) : undefined;
    return { Items, ...(last && { LastEvaluatedKey: { order: last.order } }) };
  };

  /** Now and then only the first key is answered. */
  const batchGet = async (asked: { [table: string]: { Keys: Row[] } }) => {
    const [[table = '', { Keys } = { Keys: [] }] = []] = Object.entries(asked);
    const count = Keys.length > 1 && random.isTrue(0.2) ? 1 : Keys.length;
    const found = await Promise.all(Keys.slice(0, count).map((key) => itemOf(stores, key)));
    const left = Keys.slice(count);
    return {
      Responses: { [table]: found.flatMap((item) => item ?? []) },
      ...(left.length > 0 && { UnprocessedKeys: { [table]: { Keys: left } } }),
    };
  };

  /** All as of one instant. */
  const transactGet = async (keys: Row[]) => ({
    Responses: await Promise.all(keys.map(async (key) => ({ Item: await itemOf(stores, key) }))),
  });

  /** The SDK's client, as far as these stores use it. */
  const documentsOf = (process: Process) => ({
    send: (command: unknown) => {
      if (command instanceof QueryCommand)
        return processes.step(process, { port: 'table', method: 'query', args: [] }, () =>
          query(command.input as Query),
        );
      if (command instanceof TransactGetCommand)
        return processes.step(process, { port: 'table', method: 'transactGet', args: [] }, () =>
          transactGet((command.input.TransactItems ?? []).map(({ Get }) => Get?.Key ?? {})),
        );
      if (!(command instanceof BatchGetCommand))
        throw new Error('The simulated table knows Query, BatchGetItem and TransactGetItems');
      return processes.step(process, { port: 'table', method: 'batchGet', args: [] }, () =>
        batchGet(command.input.RequestItems as never),
      );
    },
  });

  return (process: Process): Pick<Ports, 'partners' | 'changes'> & { lists: Ports['deliveryLog'] } => {
    const documents = documentsOf(process) as unknown as DynamoDBDocumentClient;
    const retryDelays = { random: random.next, sleep: (ms: number) => processes.sleep(process, ms) };
    const access = { documents, retryDelays, clock: processes.clockOf(process) };
    return {
      partners: createPartnerDirectory({ ...access, partnersTable }),
      changes: createChangeIndex({ ...access, transactionsTable: 'Transactions' }),
      lists: {
        ...createDeliveryLogStore({ ...access, debounceTable }),
        ...createDeliveryLogPages({ ...access, debounceTable }),
      },
    };
  };
};

/** A row's place in its index; one that a caller has made of a key has none of its own. */
const orderOf = ({ order, claimedAtMs, pk, sk }: Row): string =>
  String(order ?? `${String(claimedAtMs).padStart(16, '0')} ${pk}/${sk}`);

/** What an index of the delivery log has, newest first. */
const deliveryLogRows = async (
  { ports: { deliveryLog } }: Stores,
  { ':first': sinceMs, ':last': lastMs }: Row,
  { clientId, uuid = '' }: { clientId?: string; uuid?: string },
): Promise<Row[]> => {
  const span = { sinceMs: Number(sinceMs), untilMs: Number(lastMs) + 1 };
  const rows: Row[] = [];
  if (clientId)
    for await (const delivery of deliveryLog.deliveriesOfPartner(clientId, span))
      rows.push(deliveryItem(delivery, farAway));
  else
    for await (const event of deliveryLog.eventsOfTransaction(uuid)) {
      const isWithin = event.claimedAtMs >= span.sinceMs && event.claimedAtMs < span.untilMs;
      if (isWithin) rows.push(eventItems(event, undefined)[0] as Row);
    }
  return rows
    .map((row) => ({ ...row, order: orderOf(row) }))
    .sort((one, other) => (one.order > other.order ? -1 : 1));
};

/** The rows of one event, as they stand now. */
const rowsOfEvent = async ({ ports: { deliveryLog } }: Stores, pk: string): Promise<Row[]> => {
  const found = await deliveryLog.event(eventIdOfKey({ pk }));
  if (!found) return [];
  const noted = found.deliveries.filter((delivery) => !isPendingDelivery(delivery));
  return [
    ...eventItems(found.event, found.bodies),
    ...noted.map((delivery) => deliveryItem(delivery, farAway)),
  ].map((row) => ({ ...row, order: row.sk }));
};

/** An item by its key, as it stands now. */
const itemOf = async ({ ports, partners }: Stores, { pk, sk }: Row): Promise<Row | undefined> => {
  const [kind, name = ''] = String(pk).split('#');
  if (kind === 'GRANT') return { pk, sk, clientIds: new Set(partners.granteesOf(String(sk))) };
  if (sk === profileKey(name).sk) {
    const profile = await partners.profileOf(name);
    return profile && { pk, sk, partner: profile.partner, endpoint: profile.endpoint };
  }
  const [, clientId = ''] = String(sk).split('#');
  if (sk === 'EVENT') {
    const found = await ports.deliveryLog.event(name);
    return found && eventItems(found.event, undefined)[0];
  }
  const delivery = await ports.deliveryLog.delivery({ eventId: name, clientId });
  return delivery && !isPendingDelivery(delivery) ? deliveryItem(delivery, farAway) : undefined;
};
