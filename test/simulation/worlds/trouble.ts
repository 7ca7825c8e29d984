import type { DueRowKey } from '../../../functions/shared/domain/event/debounce-row.ts';
import type { DeliveryKey } from '../../../functions/shared/domain/event/delivery.ts';
import { eventIdOf } from '../../../functions/shared/domain/event/event.ts';
import type { Facts, Finding } from '../checks/facts.ts';
import { owners } from './estate.ts';
import { partnerPlan } from './partner-program.ts';
import { type Planned, transactionUuid } from './program.ts';
import type { WorldPlan } from './world-plan.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Nine transactions that become dormant at the same moment, and a tenth with a fault. */
export const atOnce = (seed: number): WorldPlan => {
  const names = Array.from({ length: 9 }, (_, index) => `healthy ${index}`);
  return {
    ...{ seed, mode: 'none', activeMs: hour, restMs: 14 * minute, isEmbedded: false, samples: 0 },
    acts: names.map((name) => begun(seed, name)),
    partners: [0, 1, 2].map((index) =>
      partnerPlan(seed, index, { untilMs: hour, isRestless: false, isFrail: false }),
    ),
  };
};

/** It begins at once. */
export const begun = (seed: number, name: string): Planned => {
  const [owner] = owners;
  if (!owner) throw new Error('There is no owner');
  const body = { vehicle: { make: name } };
  return { atMs: 0, uuid: transactionUuid(seed, name), act: 'begin', how: 'entered', owner, body };
};

const withTrouble = (seed: number, trouble: Partial<WorldPlan>): WorldPlan => {
  const plan = atOnce(seed);
  return { ...plan, ...trouble, acts: [begun(seed, 'trouble'), ...plan.acts] };
};

/** The bus refuses every request with an entry of the tenth. */
const withRefused = (seed: number) =>
  withTrouble(seed, {
    isRefusedWithAll: (detail) => detail.includes(transactionUuid(seed, 'trouble')),
  });

/** What the bus says of the tenth can never be recorded. */
const withStuckRow = (seed: number) => {
  const range = { from: 0, to: 1 };
  const eventId = eventIdOf('local', 'TransactionUpdated', transactionUuid(seed, 'trouble'), range);
  return withTrouble(seed, {
    isBroken: ({ port, method, args: [asked] }) =>
      port === 'deliveryLog' && method === 'move' && (asked as DeliveryKey).eventId === eventId,
  });
};

/** The tenth can never be completed. */
const withoutCompleting = (seed: number) =>
  withTrouble(seed, {
    isBroken: ({ method, args: [key] }) =>
      method === 'complete' && (key as DueRowKey).uuid === transactionUuid(seed, 'trouble'),
  });

/** Faults of one of ten rows that are due together. */
export const troubles: readonly { title: string; other: (seed: number) => WorldPlan }[] = [
  {
    title: 'I21 an entry for which the bus refuses whole requests delays none of nine that are due with it',
    other: withRefused,
  },
  {
    title: 'I21 a delivery log row that cannot be moved delays none of nine that are due with it',
    other: withStuckRow,
  },
  {
    title: 'I21 a debounce row that cannot be completed delays none of nine that are due with it',
    other: withoutCompleting,
  },
];

/** I21: rows without a fault are completed at their first try. */
export const othersComplete = ({ world: { history, plan } }: Facts): Finding[] =>
  history.leases
    .filter(({ key: { uuid } }) => uuid !== transactionUuid(plan.seed, 'trouble'))
    .filter((lease, index, all) => all.findIndex(({ eventId }) => eventId === lease.eventId) !== index)
    .map(({ key: { uuid }, atMs }) => ({
      ...{ invariant: 'I21', uuid, atMs, what: 'a healthy event is sent again' },
    }));
