import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { eventElementNames, type VersionRange } from '../../../functions/shared/domain/event/event.ts';
import type {
  JsonObject,
  StoredTransaction,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { openIn, type StoreRecord } from '../../support/builders/store-record.ts';
import type { Webhook } from '../../support/stage/webhook-receiver.ts';
import type { CrashPartner } from './partners.ts';

/** A message that an endpoint took, with what it says. */
export type Taken = VersionRange & {
  partner: string;
  clientId: string;
  id: string;
  type: string;
  uuid: string;
  detail: JsonObject;
  body: string;
};

export type CrashRecord = {
  store: StoreRecord;
  partners: (CrashPartner & { clientId: string })[];
  taken: Taken[];
};

export const takenOf = (webhooks: readonly Webhook[], partners: CrashRecord['partners']): Taken[] => {
  const ids = new Map(partners.map(({ name, clientId }) => [name, clientId]));
  return webhooks
    .filter(({ status }) => status === 204)
    .map(({ partner, headers, body }) => {
      const { id, 'detail-type': type, detail } = JSON.parse(body);
      const from = Number(headers['X-Transaction-From-Version']);
      const to = Number(headers['X-Transaction-Version']);
      const clientId = ids.get(partner) ?? '';
      return { partner, clientId, id, type, uuid: detail?.uuid, detail, body, from, to };
    });
};

/** Each check: the promise as its title, and a function that lists what breaks it. */
export const checks: [string, (record: CrashRecord) => string[]][] = [
  ['I19 nothing is scheduled or under way, and partners are notified of every change', stillOpen],
  ['I1 the ranges of each transaction join from its import to its last version', brokenChains],
  [
    'I1 each partner took every update of its transactions, or the delivery log names what it did not get',
    missing,
  ],
  ['I6 I7 copies have the same id and the same bytes', differentCopies],
  ['I8 each completed transaction was published as completed under one id, and no other', wrongCompletions],
  ['I9 no partner got anything of another group', strangers],
  ['I14 TH-08 the updates that a partner took, folded, are what the store holds', wrongFolds],
  ['I16 TH-23 made = delivered + failed + withheld, and delivered is what endpoints took', unreconciled],
];

const keyOf = ({ id, clientId }: { id: string; clientId: string }) => `${id}/${clientId}`;
const isUpdate = ({ type }: { type: string }) => type === 'TransactionUpdated';

function stillOpen({ store }: CrashRecord): string[] {
  return Object.entries(openIn(store)).flatMap(([what, of]) => of.map((one) => `${one} is ${what}`));
}

function brokenChains({ store }: CrashRecord): string[] {
  const updates = Map.groupBy(store.events.filter(isUpdate), ({ uuid }) => uuid);
  return store.transactions.flatMap(({ transaction: { uuid }, version, notifyFromVersion }) => {
    const ranges = (updates.get(uuid) ?? []).toSorted((one, other) => one.from - other.from);
    const ends = [notifyFromVersion - 1, ...ranges.map(({ to }) => to)];
    const starts = [...ranges.map(({ from }) => from), version];
    if (isDeepStrictEqual(ends, starts)) return [];
    return [`${uuid}: ${ranges.map(({ from, to }) => `(${from}, ${to}]`).join(' ')} up to ${version}`];
  });
}

function missing({ store, partners, taken }: CrashRecord): string[] {
  const got = new Set(taken.map(keyOf));
  const deliveryLog = new Map(store.deliveries.map((one) => [keyOf({ ...one, id: one.eventId }), one]));
  const groups = groupsOf(store.transactions);
  return store.events.flatMap((event) => {
    const entitled = partners.filter(({ group }) => group === groups.get(event.uuid));
    return entitled.flatMap(({ name, clientId }) => {
      const key = keyOf({ id: event.eventId, clientId });
      if (got.has(key) || isNamed(deliveryLog.get(key))) return [];
      return [`${name} has not got ${event.type} ${event.eventId} of ${event.uuid}`];
    });
  });
}

const isNamed = (delivery: Delivery | undefined) =>
  delivery?.state === 'DEAD' || delivery?.state === 'SUPPRESSED';

const groupsOf = (transactions: readonly StoredTransaction[]) =>
  new Map(transactions.map(({ transaction: { uuid, ndMeta } }) => [uuid, ndMeta?.group]));

function differentCopies({ store, taken }: CrashRecord): string[] {
  const made = new Set(store.events.map(({ eventId }) => eventId));
  const unknown = taken.filter(({ id }) => !made.has(id)).map(({ id }) => `${id} is in no delivery log`);
  const differing = [...Map.groupBy(taken, ({ id }) => id)]
    .filter(([, copies]) => new Set(copies.map(({ body }) => body)).size > 1)
    .map(([id]) => `${id} came with different bytes`);
  const ranges = [...Map.groupBy(taken, ({ type, uuid, from, to }) => `${type} ${uuid} (${from}, ${to}]`)]
    .filter(([, copies]) => new Set(copies.map(({ id }) => id)).size > 1)
    .map(([range]) => `${range} came under several ids`);
  return [...unknown, ...differing, ...ranges];
}

function wrongCompletions({ store }: CrashRecord): string[] {
  const completed = Map.groupBy(
    store.events.filter(({ type }) => type === 'TransactionCompleted'),
    ({ uuid }) => uuid,
  );
  return store.transactions
    .filter(({ transaction: { uuid, status } }) => (completed.get(uuid) ?? []).length !== status)
    .map(
      ({ transaction: { uuid, status } }) =>
        `${uuid} of status ${status}: completed ${completed.get(uuid)?.length ?? 0} times`,
    );
}

function strangers({ store, partners, taken }: CrashRecord): string[] {
  const groups = groupsOf(store.transactions);
  const granted = new Map(partners.map(({ name, group }) => [name, group]));
  return taken
    .filter(({ partner, uuid }) => granted.get(partner) !== groups.get(uuid))
    .map(({ partner, uuid }) => `${partner} got something of ${uuid}`);
}

/** Compares only where the last update arrived: a DEAD update is missing in the fold too. */
function wrongFolds({ store, taken }: CrashRecord): string[] {
  const stored = new Map(store.transactions.map((one) => [one.transaction.uuid, one]));
  const dead = new Set(store.deliveries.filter(isNamed).map(({ clientId, uuid }) => `${clientId}/${uuid}`));
  return [...Map.groupBy(taken.filter(isUpdate), ({ clientId, uuid }) => `${clientId}/${uuid}`)]
    .filter(([key]) => !dead.has(key))
    .flatMap(([key, updates]) => {
      const one = stored.get(updates[0]?.uuid ?? '');
      if (!one) return [`${key}: no such transaction`];
      return differencesOf(fold(updates), one).map((name) => `${key}: ${name} differs`);
    });
}

const fold = (updates: readonly Taken[]): JsonObject =>
  Object.assign({}, ...updates.toSorted((one, other) => one.to - other.to).map(({ detail }) => detail));

/** Elements that changed after the import are in the fold, with the store's values; payment tokens are not in use here. */
const differencesOf = (
  folded: JsonObject,
  { transaction, elementVersions, notifyFromVersion }: StoredTransaction,
) => {
  const changed = eventElementNames.filter((name) => elementVersions[name] >= notifyFromVersion);
  const absent = (name: string) => (name === 'payments' ? [] : null);
  const wrong = changed.filter((name) => !isDeepStrictEqual(folded[name], transaction[name] ?? absent(name)));
  const invented = eventElementNames.filter((name) => name in folded && !changed.includes(name));
  return [...wrong, ...invented, ...(folded.status === transaction.status ? [] : ['status'])];
};

function unreconciled({ store, taken }: CrashRecord): string[] {
  const { made, delivered, failed, withheld } = figuresOf(store);
  const got = new Set(taken.map(keyOf));
  const keys = store.deliveries.map((one) => ({ ...one, key: keyOf({ ...one, id: one.eventId }) }));
  const notGot = keys.filter(({ state, key }) => state === 'DELIVERED' && !got.has(key));
  const notRecorded = keys.filter(({ state, key }) => state !== 'DELIVERED' && got.has(key));
  const difference = made - delivered - failed - withheld;
  return [
    ...(difference === 0 ? [] : [`the difference is ${difference}`]),
    ...notGot.map(({ key }) => `${key} is DELIVERED, and no endpoint took it`),
    ...notRecorded.map(({ key, state }) => `${key} was taken, and is ${state}`),
  ];
}

/** Every delivery by the way it ended (TH-23). */
export const figuresOf = ({ events, deliveries }: StoreRecord) => {
  const count = (...states: Delivery['state'][]) =>
    deliveries.filter(({ state }) => states.includes(state)).length;
  return {
    made: events.reduce((sum, { recipients }) => sum + recipients.length, 0),
    delivered: count('DELIVERED'),
    failed: count('DEAD'),
    withheld: count('SUPPRESSED'),
  };
};
