import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PartnerStore } from '../../bin/operator/store/partners/partner-store.ts';
import { createPartnerStore } from '../../bin/operator/store/partners/store.ts';
import { pollInTurn } from '../../functions/keep-endpoints/turn.ts';
import { repairMissed } from '../../functions/reconcile/missed-changes.ts';
import { settingsOf } from '../../functions/shared/domain/event/timing.ts';
import type { Partner } from '../../functions/shared/domain/partner.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../functions/shared/domain/transaction/transaction.ts';
import { flushDue } from '../../functions/shared/publish/flush.ts';
import type { PublishDeps } from '../../functions/shared/publish/publish-deps.ts';
import { createDebounceRowStore } from '../../functions/shared/store/debounce/debounce-rows.ts';
import { createDeliveryLogStore } from '../../functions/shared/store/debounce/delivery-log.ts';
import { createPartnerDirectory } from '../../functions/shared/store/partners/directory.ts';
import { createEndpointStore } from '../../functions/shared/store/partners/endpoints.ts';
import { createInspectionStore } from '../../functions/shared/store/partners/inspection.ts';
import { createChangeIndex } from '../../functions/shared/store/transactions/changed-index.ts';
import { createTransactionReader } from '../../functions/shared/store/transactions/reader.ts';
import { createTransactionWriter } from '../../functions/shared/store/transactions/writer.ts';
import { aPartner, aServedEndpoint } from '../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../support/builders/transactions.ts';
import { clientOf, documentsOf, startEngine } from '../support/engine/engine.ts';
import { createMemoryEventBridge } from '../support/memory/event-bridge.ts';
import { idleTime } from '../support/memory/idle-time.ts';
import { aBus, aPublishing } from '../support/memory/publishing.ts';
import type { Print } from './print.ts';
import { countUnits, type Units } from './units.ts';

const tables = { transactionsTable: 'Transactions', listingTable: 'Listing', debounceTable: 'Debounce' };
const settings = settingsOf(120_000);
const minute = 60_000;
/** What a partner's checkout holds: about 1 kB. */
const customer = { firstName: 'Ann', lastName: 'Example', email: 'ann@example.org', mobile: '07700 900000' };
const extras = Array.from({ length: 5 }, (_, id) => ({
  id,
  name: `Extra ${id}`,
  price: '199.00',
  quantity: 1,
}));

/** Stores over the engine, a clock that the benchmark sets, and a bus that takes every event. */
export const openPlace = async (
  endpoint: string,
  documents: DynamoDBDocumentClient = documentsOf(clientOf(endpoint)),
) => {
  const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') };
  const clock = () => new Date(time.nowMs);
  const reader = createTransactionReader({ documents, ...tables, membersOf: async () => [] });
  const bus = aBus();
  let requests = 0;
  let questions = 0;
  let count: ReturnType<typeof countUnits> | undefined;
  const debounceRows = createDebounceRowStore({ documents, ...tables, clock });
  const publishing = aPublishing({
    transactions: reader,
    partners: createPartnerDirectory({ documents, partnersTable: 'Partners', clock }),
    debounceRows: {
      ...debounceRows,
      due: (...asked) => {
        questions += 1;
        return debounceRows.due(...asked);
      },
    },
    deliveryLog: createDeliveryLogStore({ documents, ...tables, clock }),
    bus: {
      put: (entries) => {
        requests += 1;
        return bus.put(entries);
      },
    },
    clock,
    settings,
  });
  return {
    ...{ documents, time, clock, reader, publishing },
    writer: createTransactionWriter({ documents, ...tables }),
    partners: servedFromTheStart(createPartnerStore({ documents, partnersTable: 'Partners' })),
    putEvents: () => requests,
    /** Queries of the index of due rows so far. */
    questions: () => questions,
    /** Whoever never asks has a client that nothing is added to. */
    measure: (work: () => Promise<unknown>): Promise<Units> => {
      count ??= countUnits(documents, tables);
      return count(work);
    },
  };
};

const endpointSettings = {
  ...{ stage: 'local', busName: 'Bus', deliveryRoleArn: 'role', deadLetterQueueArn: 'queue' },
};

/** Whoever is created is served, as if `keep-endpoints` had been there. */
const servedFromTheStart = (partners: PartnerStore): PartnerStore => ({
  ...partners,
  create: (credentials, signature) =>
    partners.create({ ...credentials, endpoint: aServedEndpoint() }, signature),
});

export type Place = Awaited<ReturnType<typeof openPlace>>;

export const printUnits = async (print: Print): Promise<void> => {
  const engine = await startEngine();
  try {
    const place = await openPlace(engine.endpoint);
    const rows = [...(await changeRows(place)), ...(await eventRows(place))];
    print(['DynamoDB', 'requests', 'WCU', 'goal of WCU', 'RCU', 'PutEvents'], rows);
    print(['a day on which nothing happens', 'one', 'so often', 'a day'], await idleRows(place));
    print(['an edit a second for 20 minutes', 'measured', 'goal'], await hotRows(place));
  } finally {
    await engine.stop();
  }
};

const row = (name: string, { requests, write, read }: Units) => [name, requests, write, '', read, ''];

/** What a change costs beside its own write. */
const changeRows = async (place: Place) => {
  const stored = await create(place, 0, 'group-a');
  const change = await place.measure(() => edit(place, stored));
  const first = await place.measure(() => recordChange(place, stored.transaction.uuid));
  const next = await place.measure(() => recordChange(place, stored.transaction.uuid));
  place.time.nowMs += 10 * minute;
  await flush(place);
  return [
    row('a change: the write itself', change),
    row('its recorded change (capture-change), first of its window', first),
    row('its recorded change, the debounce row being scheduled', next),
  ];
};

/**
 * From a due row to the last status entry. Queries of the index are not counted: a flush polls all its shards, and
 * again those with rows.
 */
const eventRows = async (place: Place) => {
  const rows = [row('a flush that finds nothing', await place.measure(() => flush(place)))];
  let known = 0;
  for (const [recipients, goal] of eventGoals) {
    for (; known < recipients; known += 1)
      await place.partners.create({ partner: partnerOf(known), secrets: [] }, 's');
    for (const events of [1, 10]) rows.push(await eventRow(place, { recipients, events, goal }));
  }
  return rows;
};

export const partnerOf = (number: number): Partner =>
  aPartner({
    clientId: `PARTNER${number}`.padEnd(26, 'X'),
    name: `partner-${number}`,
    grants: [{ group: 'group-b' }],
    webhookUrl: 'https://partner.example/webhooks',
  });

/** Write units of an event, by how many it is for. */
const eventGoals = new Map([
  [1, 12],
  [5, 22],
  [20, 60],
]);

type Due = { recipients: number; events: number; goal: number };

/** Of one part of the index that has a few rows. */
const questionUnits = 0.5;

const eventRow = async (place: Place, { recipients, events, goal }: Due) => {
  for (let number = 0; number < events; number += 1) {
    const stored = await create(place, 1000 * recipients + 100 * events + number, 'group-b');
    await recordChange(place, stored.transaction.uuid);
  }
  place.time.nowMs += 10 * minute;
  const before = place.putEvents();
  const questionsBefore = place.questions();
  const { requests, write, read } = await place.measure(() => flush(place));
  const each = (total: number) => Number((total / events).toFixed(1));
  const name = `an event for ${recipients}, ${events === 1 ? 'alone' : `one of ${events} that are due together`}`;
  const questions = place.questions() - questionsBefore;
  const own = [each(requests - questions), each(write), `≤ ${goal}`, each(read - questions * questionUnits)];
  return [name, ...own, each(place.putEvents() - before)];
};

/** Two hours after the last change; the second of two days, since the first begins without ticks. */
const idleRows = async (place: Place) => {
  place.time.nowMs = Math.ceil((place.time.nowMs + 120 * minute) / (60 * minute)) * 60 * minute;
  const poll = await place.measure(() => flush(place));
  const inspection = await place.measure(() =>
    pollInTurn({
      endpoints: createEndpointStore({ documents: place.documents, partnersTable: 'Partners' }),
      inspections: createInspectionStore({ documents: place.documents, partnersTable: 'Partners' }),
      bus: { client: createMemoryEventBridge(), settings: { ...endpointSettings } },
      ...{ requests: { send: async () => {} }, wait: async () => {}, log: () => {}, clock: place.clock },
      effectMs: 60_000,
    }),
  );
  const often = await repairUnits(place, 30 * minute);
  const daily = await repairUnits(place, 48 * 60 * minute);
  const [one, two] = [await idleTime(24 * 60), await idleTime(2 * 24 * 60)];
  const ofDay = (name: keyof typeof one) => two[name] - one[name];
  const row = (name: string, { requests, read }: Units, times: number) => [
    ...[name, `${requests} requests, ${read} RCU`, times],
    `${requests * times} requests, ${read * times} RCU`,
  ];
  const rows = [
    { name: 'publish-dormant: a poll of the index of due rows', units: poll, times: ofDay('polls') },
    // Half of the runs fall into the first half of an hour, and look at the hour before as well.
    { name: 'reconcile: the last 30 minutes, first half of an hour', units: often.first, times: 72 },
    { name: 'reconcile: the last 30 minutes, second half', units: often.second, times: 72 },
    { name: 'reconcile: the last 48 hours', units: daily.first, times: 1 },
    { name: 'keep-endpoints: its partners, and whose turn it is', units: inspection, times: 145 },
  ];
  const sum = (of: keyof Units) =>
    Math.round(rows.reduce((total, { units, times }) => total + units[of] * times, 0));
  return [
    ...rows.map(({ name, units, times }) => row(name, units, times)),
    ['DynamoDB together', '', '', `${sum('requests')} requests, ${sum('read')} RCU (goal ≤ 150,000)`],
    ['publish-dormant: runs by the schedule', '1 call', ofDay('scheduled'), `${ofDay('scheduled')} calls`],
    ['publish-dormant: runs by ticks', '1 call', ofDay('byTicks'), `${ofDay('byTicks')} calls`],
    ['SQS: ticks are sent', '1 request', ofDay('sendings'), `${ofDay('ticks')} messages`],
  ];
};

const repairUnits = async ({ documents, time, clock, publishing, measure }: Place, lookBackMs: number) => {
  const changes = createChangeIndex({ documents, ...tables });
  const deps = {
    clock,
    debounceRows: publishing.debounceRows,
    log: () => {},
    dormancyMs: settings.dormancyMs,
    changes,
  };
  const hourMs = time.nowMs;
  const at = async (minutes: number) => {
    time.nowMs = hourMs + minutes * minute;
    return measure(() => repairMissed(deps, lookBackMs));
  };
  const units = { first: await at(15), second: await at(45) };
  time.nowMs = hourMs;
  return units;
};

/** A transaction in constant motion has its timer set anew once in each period of rest. */
const hotRows = async (place: Place) => {
  const seconds = 20 * 60;
  let stored = await create(place, 999, 'group-b');
  let reschedules = 0;
  const { debounceRows } = place.publishing;
  const counting: PublishDeps = {
    ...place.publishing,
    debounceRows: {
      ...debounceRows,
      reschedule: (...args) => {
        reschedules += 1;
        return debounceRows.reschedule(...args);
      },
    },
  };
  const questionsBefore = place.questions();
  const units = await place.measure(async () => {
    for (let second = 1; second <= seconds; second += 1) {
      place.time.nowMs += 1000;
      stored = await edit(place, stored);
      await recordChange(place, stored.transaction.uuid);
      if (second % 10 === 0) await flushDue(counting, { beginUntilMs: place.time.nowMs + minute });
    }
  });
  const questions = place.questions() - questionsBefore;
  const own = (units.write / seconds).toFixed(2);
  return [
    ['reschedules in each 120 s', (reschedules / (seconds / 120)).toFixed(2), '≤ 1'],
    ['WCU an edit, recorded change and reschedules included', own, ''],
    [
      'requests an edit, polls of the index left out',
      ((units.requests - questions) / seconds).toFixed(2),
      '',
    ],
  ];
};

export const create = async (place: Place, number: number, group: string): Promise<StoredTransaction> => {
  const values: Partial<Transaction> = { uuid: uuidOf(number), ndMeta: anOwner({ group }), customer, extras };
  const nowMs = place.clock().getTime();
  const outcome = await place.writer.create({
    ...aNewTransaction(values, { createdAtMs: nowMs, updatedAtMs: nowMs }),
    elementVersions: { ...aNewTransaction().elementVersions, customer: 1, extras: 1 },
  });
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.value;
};

const edit = async (place: Place, before: StoredTransaction): Promise<StoredTransaction> => {
  const version = before.version + 1;
  const after: StoredTransaction = {
    ...before,
    version,
    updatedAtMs: Math.max(before.updatedAtMs + 1, place.clock().getTime()),
    elementVersions: { ...before.elementVersions, customer: version },
    transaction: { ...before.transaction, customer: { ...customer, note: randomUUID() } },
  };
  const outcome = await place.writer.replace(before, after);
  if (!outcome.ok) throw new Error(outcome.reason);
  return after;
};

export const recordChange = async ({ publishing, clock }: Place, uuid: string) => {
  const dueAtMs = clock().getTime() + settings.dormancyMs;
  await publishing.debounceRows.recordChange({ uuid, changed: ['customer'], dueAtMs });
};

export const flush = ({ publishing, clock }: Place) =>
  flushDue(publishing, { beginUntilMs: clock().getTime() + minute });
