import type { Delivery } from '../domain/event/delivery.ts';
import { changedElements, eventIdOf, isDeletedAfter, type VersionRange } from '../domain/event/event.ts';
import { armedDelivery, isUnnoted } from '../domain/event/new-delivery.ts';
import { presentEvent } from '../domain/event/present-event.ts';
import { decideResend } from '../domain/event/resend.ts';
import type { StoredTransaction } from '../domain/transaction/transaction.ts';
import type { PublishDeps } from './publish-deps.ts';

/** What becomes of a delivery that is due by itself; `covers` are the partner's others that need no sending then. */
export type Resend =
  | { step: 'as-is'; covers: Delivery[] }
  | { step: 'wait'; dueAtMs: number }
  | { step: 'together'; covers: Delivery[]; stored: StoredTransaction; eventId: string; range: VersionRange };

/**
 * Plans a delivery that is due by itself (EV-12). A completion stands outside the chain of versions and stays as it is; so
 * does what a person asked for alone, and an event from before a deletion, which the sending then withholds (DEL-1).
 */
export const planResend = async (delivery: Delivery, nowMs: number, deps: PublishDeps): Promise<Resend> => {
  const asIs: Resend = { step: 'as-is', covers: [] };
  if (!isOfChain(delivery)) return asIs;
  const cursor = await deps.cursors.get({ uuid: delivery.uuid, kind: 'NOTIFY' });
  const stored = await deps.transactions.byUuid(delivery.uuid);
  if (!cursor || !stored || isDeletedAfter(delivery, stored)) return asIs;
  const decision = decideResend(delivery, { cursor, stored }, { nowMs, settings: deps.settings });
  if (decision.step === 'as-is') return asIs;
  return decision.step === 'wait' ? decision : planTogether(delivery, stored, deps);
};

const isOfChain = ({ type, isAlone }: Delivery) => type === 'TransactionUpdated' && !isAlone;

/** One event for all that are due, from the first version that one of them tells of to the present one. */
const planTogether = async (
  delivery: Delivery,
  stored: StoredTransaction,
  deps: PublishDeps,
): Promise<Resend> => {
  const others = await othersDue(delivery, stored, deps);
  const range = { from: Math.min(...[delivery, ...others].map(({ from }) => from)), to: stored.version };
  const eventId = eventIdOf(deps.stage, 'TransactionUpdated', delivery.uuid, range);
  const covers = others.filter((one) => one.eventId !== eventId);
  return eventId === delivery.eventId
    ? { step: 'as-is', covers }
    : { step: 'together', covers, stored, eventId, range };
};

/** What is tried again is claimed within the two days that all tries take. */
const lookBackMs = 48 * 60 * 60 * 1000;
/** Five thousand events. What lies further back is due by itself, and goes alone. */
const mostPages = 5;

const othersDue = async (
  { uuid, clientId, eventId, claimedAtMs }: Delivery,
  stored: StoredTransaction,
  { ledger }: PublishDeps,
): Promise<Delivery[]> => {
  const others: Delivery[] = [];
  const span = { clientId, sinceMs: claimedAtMs - lookBackMs, atMostPages: mostPages };
  for await (const one of ledger.deliveriesOfTransaction(uuid, span)) {
    const isDue = one.dueAtMs !== undefined && (one.state === 'DEAD' || one.state === 'READY');
    if (isDue && isOfChain(one) && one.eventId !== eventId && !isDeletedAfter(one, stored)) others.push(one);
  }
  return others;
};

/**
 * Schedules the new event, and then ends what it covers: a run that dies in between loses nothing. Whoever plans the same
 * again finds the event by its id. Nothing is in flight here, so one of which nothing is noted is on nobody's way.
 */
export const scheduleTogether = async (
  delivery: Delivery,
  resend: Resend & { step: 'together' },
  deps: PublishDeps,
): Promise<void> => {
  const present = await deps.ledger.delivery({ eventId: resend.eventId, clientId: delivery.clientId });
  if (present && !isUnnoted(present)) await scheduleAgain(resend.eventId, delivery.clientId, deps);
  else await scheduleNew(delivery, resend, deps);
  await end(delivery, resend.eventId, deps);
  await endCovered(resend, resend.eventId, deps);
};

/** It was told before, or withheld: where it is neither on its way nor with the partner, it is due once more. */
const scheduleAgain = async (eventId: string, clientId: string, { ledger, clock }: PublishDeps) => {
  const atMs = clock().getTime();
  const entry = { atMs, step: 'armed' } as const;
  const key = { eventId, clientId };
  await ledger.move({ ...key, from: ['DEAD', 'SUPPRESSED'], to: 'READY', atMs, entry, dueAtMs: atMs });
};

/**
 * Its values are the present ones: nothing was changed since the last event. Its pauses go on where those of the most often
 * failed of its covers were.
 */
const scheduleNew = async (
  { clientId, failures }: Delivery,
  { stored, range, covers }: Resend & { step: 'together' },
  { stage, origin, clock, ledger }: PublishDeps,
): Promise<void> => {
  const nowMs = clock().getTime();
  const { event, bodies } = presentEvent(
    {
      ...{ stored, range, type: 'TransactionUpdated', recipients: [clientId] },
      elements: changedElements(stored, range.from),
    },
    { stage, origin, nowMs },
  );
  const scheduled = armedDelivery(event, clientId, {
    atMs: nowMs,
    note: covers.length === 0 ? 'for 1 event' : `for ${covers.length + 1} events`,
    failures: Math.max(failures, ...covers.map((one) => one.failures)),
  });
  await ledger.addMissing({ event, bodies, deliveries: [scheduled] });
};

/** Ends what another event tells. One that is being sent right now ends itself. */
export const endCovered = async (
  { covers }: Pick<Resend & { step: 'as-is' }, 'covers'>,
  by: string,
  deps: PublishDeps,
): Promise<void> => {
  for (const one of covers) if (one.state === 'DEAD') await end(one, by, deps);
};

const end = async ({ eventId, clientId, state }: Delivery, by: string, { ledger, clock }: PublishDeps) => {
  const atMs = clock().getTime();
  const entry = { atMs, step: 'suppressed', note: `COALESCED: told by ${by}` } as const;
  const ended = { eventId, clientId, from: [state], to: 'SUPPRESSED', atMs, entry } as const;
  await ledger.move({ ...ended, reason: 'COALESCED' });
};
