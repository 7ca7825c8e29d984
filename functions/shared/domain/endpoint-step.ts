import type { EndpointStatus, EndpointWish } from './endpoint.ts';
import {
  failsCheck,
  isUnmended,
  leaseMs,
  mendAgainMs,
  passed,
  unmended,
  verifying,
} from './endpoint-status.ts';
import { hasFailed, hasPassed, isReached } from './endpoint-wish.ts';

/** The parts of an endpoint on the bus, in the order in which they are created. */
export const endpointParts = ['connection', 'destination', 'rule', 'target'] as const;
export type EndpointPart = (typeof endpointParts)[number];

/** Differences between a partner's endpoint on the bus and its record, by part. */
const differencesOfParts = {
  connection: ['CONNECTION_MISSING', 'CONNECTION_DIFFERS', 'SIGNATURE_DIFFERS', 'CONNECTION_NOT_AUTHORIZED'],
  destination: ['DESTINATION_MISSING', 'DESTINATION_DIFFERS'],
  rule: ['RULE_MISSING', 'RULE_DIFFERS', 'RULE_DISABLED'],
  target: ['TARGET_MISSING', 'TARGET_DIFFERS', 'TARGET_FOREIGN'],
} as const satisfies Record<EndpointPart, readonly string[]>;
export type EndpointDifference = (typeof differencesOfParts)[EndpointPart][number];

/** What the bus has for a partner. */
export type EndpointFound = {
  parts: readonly EndpointPart[];
  /** Differences from an endpoint that serves the address of the status. */
  differences: readonly EndpointDifference[];
  /** The connection is being created, changed or removed, and cannot be used or changed meanwhile. */
  isBusy: boolean;
};

/** Everything that decides the next step. */
export type EndpointPoll = {
  wish: EndpointWish;
  /** Undefined before the first poll of a partner. */
  status: EndpointStatus | undefined;
  found: EndpointFound;
  /** The operator set the address without a check. */
  isUnchecked: boolean;
  /**
   * When the record's webhook was last changed, or all webhooks of the stage were last started. A pause may have ended
   * then.
   */
  resumedAtMs: number | undefined;
  /** The bus gave up a delivery because of the endpoint. */
  isUndelivered: boolean;
  nowMs: number;
  /** How long the bus takes to apply a new target. */
  effectMs: number;
};

/** One step towards the wish. After each step the next one is decided anew. */
export type EndpointStep =
  | { step: 'note'; status: EndpointStatus }
  | { step: 'check'; url: string }
  | { step: 'make'; part: EndpointPart }
  | { step: 'remove'; part: EndpointPart }
  /** Make kept deliveries due, or end them if there is no endpoint any more. */
  | { step: 'send-kept' }
  | { step: 'wait'; untilMs: number }
  | { step: 'done' };

const second = 1_000;
const minute = 60 * second;

/** Creating, changing or removing a connection takes seconds. */
const busyMs = 5 * second;
/** An address that failed its check is checked again after this time, and after a dead letter. */
const checkAgainMs = 15 * minute;
const checkAfterDeadLetterMs = 5 * minute;

type KnownPoll = EndpointPoll & { status: EndpointStatus };

/**
 * Decides the next step from the record, the status and the bus alone, so that the next invocation finishes what a dead
 * one began. A reached wish of another kind is cleared before the bus is changed, because it is wrong if the record
 * changes back meanwhile.
 */
export const nextEndpointStep = (poll: EndpointPoll): EndpointStep => {
  const { wish, status, nowMs } = poll;
  if (status === undefined) return note({ state: 'verifying', sinceMs: nowMs });
  const { reached, ...rest } = status;
  if (reached === undefined || reached.wanted === wish.wanted) return knownStep({ ...poll, status });
  const step = knownStep({ ...poll, status: rest });
  return step.step === 'make' || step.step === 'remove' ? note(rest) : step;
};

const knownStep = (known: KnownPoll): EndpointStep => {
  const { wish } = known;
  switch (wish.wanted) {
    case 'on':
      return checkStep(known, wish) ?? makeStep(known) ?? serveStep(known) ?? reachStep(known) ?? rest(known);
    case 'kept':
      return pauseStep(known) ?? removeTargetStep(known) ?? reachStep(known) ?? rest(known);
    case 'none':
      return (
        turnOffStep(known) ??
        removeDueTargetStep(known) ??
        sendKeptStep(known) ??
        removeTargetStep(known) ??
        removeRestStep(known) ??
        reachStep(known) ??
        rest(known)
      );
  }
};

const note = (status: EndpointStatus): EndpointStep => ({ step: 'note', status });

/**
 * A new address is checked before it serves. A served address is checked when the bus has given up a delivery to it.
 */
const checkStep = (poll: KnownPoll, wish: EndpointWish): EndpointStep | undefined => {
  const { status, isUnchecked, nowMs } = poll;
  const { url = '' } = wish;
  if (hasPassed(status, wish)) return isUnchecked ? undefined : checkServedStep(poll, url);
  if (isUnchecked) return note(passed(status.state === 'off' ? verifying(status, nowMs) : status, wish));
  if (!hasFailed(status, wish))
    return status.state === 'verifying' ? { step: 'check', url } : note(verifying(status, nowMs));
  return failsCheck(status) && nowMs < checkDueAtMs(status) ? undefined : { step: 'check', url };
};

const checkServedStep = (poll: KnownPoll, url: string): EndpointStep | undefined => {
  const { status, isUndelivered, nowMs } = poll;
  const triedAtMs = status.tried?.atMs ?? Number.NEGATIVE_INFINITY;
  const isDue =
    (isUndelivered && nowMs >= triedAtMs + checkAfterDeadLetterMs) ||
    (failsCheck(status) && nowMs >= checkDueAtMs(status));
  return isDue ? { step: 'check', url } : undefined;
};

const checkDueAtMs = ({ tried }: EndpointStatus): number => (tried?.atMs ?? 0) + checkAgainMs;

/**
 * From the connection to the target. A rule gets its target right after its creation, and keeps it while other parts
 * change.
 */
const makeStep = ({ wish, status, found, nowMs }: KnownPoll): EndpointStep | undefined => {
  if (status.servedUrl === undefined) return undefined;
  const { servesFromMs, ...unserved } = status;
  if (servesFromMs !== undefined && found.differences.some(losesEvents)) return note(unserved);
  if (found.isBusy) return { step: 'wait', untilMs: busyUntilMs(status, nowMs) };
  const refused = 'CONNECTION_NOT_AUTHORIZED';
  if (found.differences.includes(refused) && status.reason !== refused)
    return note(unmended(status, { reason: refused, nowMs, wish }));
  const part = endpointParts.find((one) => differencesIn(one, found).length > 0);
  return part && { step: 'make', part };
};

/** How a part of an endpoint differs. */
export const differencesIn = (
  part: EndpointPart,
  { differences }: Pick<EndpointFound, 'differences'>,
): EndpointDifference[] =>
  differences.filter((one) => differencesOfParts[part].some((ofPart) => ofPart === one));

/** The bus silently drops an event that matches no rule, or a rule without a target. */
const losesEvents = (one: EndpointDifference): boolean =>
  ['RULE_MISSING', 'RULE_DIFFERS', 'RULE_DISABLED', 'TARGET_MISSING'].includes(one);

/**
 * Events are sent as soon as the bus has the target. Then kept deliveries are sent, also those of a pause that this
 * function never saw.
 */
const serveStep = (poll: KnownPoll): EndpointStep | undefined => {
  const { status, resumedAtMs, nowMs, effectMs } = poll;
  if (status.servedUrl === undefined) return undefined;
  const { servesFromMs: served, resumedAtMs: _, keptPass: __, ...rest } = status;
  if (served !== undefined && status.resumedAtMs === resumedAtMs) return sendKeptStep(poll);
  // Senders keep events until this is written, so kept deliveries are sent once more one lease from now.
  const servesFromMs = served === undefined ? nowMs + effectMs : Math.max(served, nowMs);
  const resumed = resumedAtMs !== undefined && { resumedAtMs };
  return note({ ...rest, ...resumed, servesFromMs, sendsKeptAtMs: servesFromMs });
};

const sendKeptStep = ({ status: { sendsKeptAtMs }, nowMs }: KnownPoll): EndpointStep | undefined =>
  sendsKeptAtMs !== undefined && sendsKeptAtMs <= nowMs ? { step: 'send-kept' } : undefined;

/** Events are kept from now on. The target stays for one lease, for events that a sender puts on the bus meanwhile. */
const pauseStep = ({ status, nowMs }: KnownPoll): EndpointStep | undefined => {
  if (status.state === 'paused' && status.servesFromMs === undefined) return undefined;
  const {
    servesFromMs: _servesFromMs,
    sendsKeptAtMs: _sendsKeptAtMs,
    keptPass: _keptPass,
    reason: _reason,
    ...rest
  } = status;
  return note({ ...rest, state: 'paused', sinceMs: nowMs });
};

/** Ends the kept deliveries, including those that a sender keeps at the last moment. */
const turnOffStep = ({ status, nowMs }: KnownPoll): EndpointStep | undefined => {
  if (status.state === 'off' && status.servesFromMs === undefined) return undefined;
  const { checked } = status;
  return note({ ...(checked && { checked }), state: 'off', sinceMs: nowMs, sendsKeptAtMs: nowMs });
};

const removeTargetStep = ({ status, found, nowMs }: KnownPoll): EndpointStep | undefined => {
  if (!found.parts.includes('target')) return undefined;
  const untilMs = status.sinceMs + leaseMs;
  return nowMs < untilMs ? { step: 'wait', untilMs } : { step: 'remove', part: 'target' };
};

/**
 * Removes the target before ending kept deliveries, because ending them takes long, and the bus would go on sending.
 */
const removeDueTargetStep = (known: KnownPoll): EndpointStep | undefined => {
  const step = removeTargetStep(known);
  return step?.step === 'remove' ? step : undefined;
};

const removeRestStep = ({ found }: KnownPoll): EndpointStep | undefined => {
  const part = endpointParts.findLast((one) => found.parts.includes(one));
  return part && { step: 'remove', part };
};

const reachStep = ({ wish, status, nowMs }: KnownPoll): EndpointStep | undefined => {
  const isOn = wish.wanted === 'on';
  if (isOn && !hasPassed(status, wish)) return undefined;
  if (failsCheck(status)) return isReached(status, wish) ? undefined : note({ ...status, reached: wish });
  const { reason, ...rest } = status;
  const isSaid = reason === undefined && (!isOn || status.state === 'on');
  if (isSaid && isReached(status, wish)) return undefined;
  const isNewlyOn = isOn && status.state !== 'on';
  const sinceMs = Math.max(status.servesFromMs ?? 0, nowMs);
  return note({ ...rest, reached: wish, ...(isNewlyOn && { state: 'on', sinceMs }) });
};

/** An address that failed its check, or that fails while it serves, is checked again. */
const rest = ({ wish, status }: KnownPoll): EndpointStep => {
  const isOpen = wish.wanted === 'on' && (failsCheck(status) || !hasPassed(status, wish));
  const times = [status.sendsKeptAtMs, isOpen ? checkDueAtMs(status) : undefined];
  const next = times.filter((one) => one !== undefined);
  return next.length === 0 ? { step: 'done' } : { step: 'wait', untilMs: Math.min(...next) };
};

/** When to poll a bus that is still changing. */
export const busyUntilMs = (status: EndpointStatus, nowMs: number): number =>
  nowMs + (isUnmended(status) ? mendAgainMs : busyMs);
