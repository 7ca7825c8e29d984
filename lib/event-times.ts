import { sendTimeoutMs, sendTries, settingsOf } from '../functions/shared/domain/event/timing.ts';
import { storeTimeoutMs, storeTries } from '../functions/shared/runtime/sdk/request-limits.ts';
import type { EventTimes, StageConfig } from './config.ts';
import { wholeNumber } from './whole-number.ts';

/** The default timeout of a function, below the gateway's 29 s so that the function reports its timeout itself. */
export const usualTimeoutSeconds = 15;
/** The timeout of `publish-dormant`. */
export const publishTimeoutSeconds = 15;
/** How long a message to `publish-dormant` is hidden after a failure: longer than the lease of a completion's row (I18). */
export const messageHiddenSeconds = 22;
/** The timeout of `collect-dead-letters`, well below the 30 s of its queue's visibility timeout. */
export const collectTimeoutSeconds = 5;
/** The timeout of `keep-endpoints`, which may make many deliveries due. */
export const keepTimeoutSeconds = 120;
/** The timeout of `probe-endpoint`: three messages of 5 s each, and its start. */
export const probeTimeoutSeconds = 18;
/** The timeout of `reconcile`. */
export const reconcileTimeoutSeconds = 300;
/** The part of the promised time that is left for the bus and clock differences. */
const reserveSeconds = 10;
/** How long an update may be due before it breaks the promise, in milliseconds. */
export const longestDueMs = ({ promisedSeconds, dormancySeconds }: EventTimes): number =>
  (promisedSeconds - dormancySeconds) * 1000;

/** A completion is published within this time after a fault (I18). */
const promisedCompletionMs = 30_000;

/** Times that may be shortened at synthesis, for the local stage only (RUN-3). */
export type ShortenedTimes = { dormancySeconds?: string | number; tickSeconds?: string | number };

/** `assertEventTimes` judges what may be shortened to. */
const anySeconds = { least: 0, most: Number.MAX_SAFE_INTEGER };

/** The stage with shortened times. Throws for any stage but the local one. */
export const withShortenedTimes = (config: StageConfig, asked: ShortenedTimes): StageConfig => {
  const names = (['dormancySeconds', 'tickSeconds'] as const).filter((name) => asked[name] !== undefined);
  if (names.length === 0) return config;
  if (config.name !== 'local')
    throw new Error(`${names.join(' and ')} may be set for the local stage only, not for ${config.name}.`);
  const times = Object.fromEntries(
    names.map((name) => [name, wholeNumber(String(asked[name]), anySeconds) ?? Number.NaN]),
  );
  return { ...config, eventTimes: { ...config.eventTimes, ...times } };
};

/**
 * Throws when the times of a stage break a relation of the protocol (docs/events.md): 2 × 3 s for a request < 12 s abandon <
 * 15 s timeout < 20 s lease < 22 s visibility timeout of messages; dormancy + 2 ticks + lease + 10 s < promised time.
 */
export const assertEventTimes = ({ name, eventSource, eventTimes }: StageConfig): void => {
  if (eventSource !== `svc.${name}.online-payments`)
    throw new Error(`The events of stage ${name} must have the source svc.${name}.online-payments.`);
  for (const broken of brokenRelations(eventTimes)) throw new Error(broken);
};

const brokenRelations = (times: EventTimes): string[] => [
  ...brokenPromises(times),
  ...brokenLeases(protocolTimes(times.dormancySeconds)),
];

const brokenPromises = ({ dormancySeconds, tickSeconds, promisedSeconds }: EventTimes): string[] => {
  const { leaseMs } = settingsOf(dormancySeconds * 1000);
  const worstSeconds = dormancySeconds + 2 * tickSeconds + leaseMs / 1000 + reserveSeconds;
  return [
    ...unless(isWhole(dormancySeconds), 'dormancySeconds must be a whole number from 1.'),
    ...unless(isWhole(tickSeconds), 'tickSeconds must be a whole number from 1.'),
    ...unless(
      worstSeconds < promisedSeconds,
      `dormancySeconds + 2 × tickSeconds + lease + ${reserveSeconds} is ${worstSeconds} and must be less than ${promisedSeconds}.`,
    ),
  ];
};

/** The longest times of requests and of the steps of an invocation, in milliseconds. */
type ProtocolTimes = {
  sendMs: number;
  storeMs: number;
  abandonMs: number;
  timeoutMs: number;
  leaseMs: number;
  messageHiddenMs: number;
};

const protocolTimes = (dormancySeconds: number): ProtocolTimes => {
  const { abandonMs, leaseMs } = settingsOf(dormancySeconds * 1000);
  return {
    sendMs: sendTries * sendTimeoutMs,
    storeMs: storeTries * storeTimeoutMs,
    abandonMs,
    timeoutMs: publishTimeoutSeconds * 1000,
    leaseMs,
    messageHiddenMs: messageHiddenSeconds * 1000,
  };
};

/** A sentence for each relation of the protocol that these times break. */
export const brokenLeases = (times: ProtocolTimes): string[] => {
  const { sendMs, storeMs, abandonMs, timeoutMs, leaseMs, messageHiddenMs } = times;
  return [
    ...unless(sendMs < abandonMs, 'What sending takes at most must be less than abandonMs.'),
    ...unless(storeMs < abandonMs, 'What a request to a store takes at most must be less than abandonMs.'),
    ...unless(abandonMs < timeoutMs, 'abandonMs must be less than the timeout of publish-dormant.'),
    ...unless(timeoutMs < leaseMs, 'The timeout of publish-dormant must be less than leaseMs.'),
    ...unless(abandonMs + sendMs < leaseMs, 'abandonMs and what sending takes must be less than leaseMs.'),
    ...unless(
      leaseMs < messageHiddenMs && messageHiddenMs < promisedCompletionMs,
      'The visibility timeout of messages must be more than leaseMs and less than 30 s.',
    ),
  ];
};

const isWhole = (seconds: number) => Number.isInteger(seconds) && seconds >= 1;

const unless = (holds: boolean, sentence: string): string[] => (holds ? [] : [sentence]);
