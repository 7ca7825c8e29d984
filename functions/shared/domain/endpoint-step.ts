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

/** The parts of an endpoint at the bus, in the order in which they are made. */
export const endpointParts = ['connection', 'destination', 'rule', 'target'] as const;
export type EndpointPart = (typeof endpointParts)[number];

/** What may differ between a partner's endpoint and its record, by part. */
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
  /** How it differs from an endpoint that serves the address of the status. */
  differences: readonly EndpointDifference[];
  /** Its connection is being made, changed or removed, and can be neither used nor changed. */
  isBusy: boolean;
};

/** All that the next step depends on. */
export type EndpointPoll = {
  wish: EndpointWish;
  /** Undefined before the first poll of a partner. */
  status: EndpointStatus | undefined;
  found: EndpointFound;
  /** The operator set the address without a check. */
  isUnchecked: boolean;
  /** When the record's webhook was changed last, or all webhooks of the stage were started: a pause may have ended then. */
  resumedAtMs: number | undefined;
  /** The bus gave up a delivery because of the endpoint. */
  isUndelivered: boolean;
  nowMs: number;
  /** How long the bus takes to know a new target. */
  effectMs: number;
};

/** One step towards what is wanted; after each the next one is decided anew. */
export type EndpointStep =
  | { step: 'note'; status: EndpointStatus }
  | { step: 'check'; url: string }
  | { step: 'make'; part: EndpointPart }
  | { step: 'remove'; part: EndpointPart }
  /** Make due what was kept, or end it where there is no endpoint any more. */
  | { step: 'send-kept' }
  | { step: 'wait'; untilMs: number }
  | { step: 'done' };

const second = 1_000;
const minute = 60 * second;

/** A connection is made, changed or removed within seconds. */
const busyMs = 5 * second;
/** An address that failed its check is checked again after so long, and after a dead letter. */
const checkAgainMs = 15 * minute;
const checkAfterDeadLetterMs = 5 * minute;

type KnownPoll = EndpointPoll & { status: EndpointStatus };

/**
 * Decides the next step from the record, the status and the bus alone, so that a run that died is finished by the next one. What
 * was reached for another kind of wish is forgotten before the bus is changed: where the record goes back, it would not be true.
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

/** A new address is checked before it serves; one that serves is checked when the bus has given up a delivery to it. */
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

/** From the connection to the target: a rule gets its target right after it is made, and keeps it while the rest changes. */
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

/** The bus drops what no rule matches, and what matches a rule without a target, without a sign. */
const losesEvents = (one: EndpointDifference): boolean =>
  ['RULE_MISSING', 'RULE_DIFFERS', 'RULE_DISABLED', 'TARGET_MISSING'].includes(one);

/** Events leave when the bus knows the target, and then what was kept: also of a pause that began and ended unseen. */
const serveStep = (poll: KnownPoll): EndpointStep | undefined => {
  const { status, resumedAtMs, nowMs, effectMs } = poll;
  if (status.servedUrl === undefined) return undefined;
  const { servesFromMs: served, resumedAtMs: _, keptPass: __, ...rest } = status;
  if (served !== undefined && status.resumedAtMs === resumedAtMs) return sendKeptStep(poll);
  // A sender keeps until this is noted, so that what was kept is sent once more one lease after now.
  const servesFromMs = served === undefined ? nowMs + effectMs : Math.max(served, nowMs);
  const resumed = resumedAtMs !== undefined && { resumedAtMs };
  return note({ ...rest, ...resumed, servesFromMs, sendsKeptAtMs: servesFromMs });
};

const sendKeptStep = ({ status: { sendsKeptAtMs }, nowMs }: KnownPoll): EndpointStep | undefined =>
  sendsKeptAtMs !== undefined && sendsKeptAtMs <= nowMs ? { step: 'send-kept' } : undefined;

/** Events are kept from now on. What a sender puts on the bus meanwhile still has its target, for one lease. */
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

/** What was kept ends, and what a sender of before keeps at the last moment, too. */
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

/** Before what was kept ends: that takes as long as there are deliveries, and the bus goes on sending meanwhile. */
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

/** An address that has not passed, or that failed while it serves, is checked again. */
const rest = ({ wish, status }: KnownPoll): EndpointStep => {
  const isOpen = wish.wanted === 'on' && (failsCheck(status) || !hasPassed(status, wish));
  const times = [status.sendsKeptAtMs, isOpen ? checkDueAtMs(status) : undefined];
  const next = times.filter((one) => one !== undefined);
  return next.length === 0 ? { step: 'done' } : { step: 'wait', untilMs: Math.min(...next) };
};

/** When to poll again what the bus is at. */
export const busyUntilMs = (status: EndpointStatus, nowMs: number): number =>
  nowMs + (isUnmended(status) ? mendAgainMs : busyMs);
