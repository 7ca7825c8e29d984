import {
  DescribeEventBusCommand,
  EventBridgeClient,
  type EventBridgeClientConfig,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { sendTimeoutMs, sendTries } from '../domain/event/timing.ts';
import type { Log } from '../runtime/logger.ts';
import { requestLimits } from '../runtime/sdk/request-limits.ts';
import { type BusAnswer, type BusEntry, type EventBus, entryDetail } from './event-bus.ts';

/** The bus and its source. */
export type BusConfig = { busName: string; source: string; stage: string; log: Log };

/** A client with a timeout of 3 s and one retry. */
export const createEventBridgeClient = (
  config: EventBridgeClientConfig = {},
  timeoutMs = sendTimeoutMs,
): EventBridgeClient =>
  new EventBridgeClient({ ...requestLimits(timeoutMs), maxAttempts: sendTries, ...config });

/**
 * The stage's bus. It rejects the source of another stage (EV-8). PutEvents answers 200 for a missing bus and drops the
 * entries, so each process checks once that the bus exists.
 */
export const createEventBus = (client: Pick<EventBridgeClient, 'send'>, config: BusConfig): EventBus => {
  const { busName, source, stage, log } = config;
  if (source !== `svc.${stage}.online-payments`)
    throw new Error(`EVENT_SOURCE is ${source}, which is not the source of stage ${stage}`);
  const makeSure = once((signal: AbortSignal) =>
    client.send(new DescribeEventBusCommand({ Name: busName }), { abortSignal: signal }),
  );
  const send = async (entries: readonly BusEntry[], signal: AbortSignal): Promise<BusAnswer[]> => {
    const request = new PutEventsCommand({
      Entries: entries.map((entry) => toRequestEntry(entry, { busName, source })),
    });
    try {
      const { Entries = [] } = await client.send(request, { abortSignal: signal });
      return entries.map((_, index) => answerOf(Entries[index]));
    } catch (fault) {
      if (!isAboutContent(fault)) throw fault;
      log('entriesRefused', { entries: entries.length }, fault);
      return answersToRefusal(fault, entries);
    }
  };
  return {
    put: async (entries) => {
      try {
        // Limits both tries, including reading the answers, so that they fit into the sender's lease.
        const signal = AbortSignal.timeout(sendTries * sendTimeoutMs);
        await makeSure(signal);
        return await send(entries, signal);
      } catch (fault) {
        log('busUnavailable', {}, fault);
        return entries.map(() => ({ outcome: 'unconfirmed' }));
      }
    },
  };
};

/** A refused request was not carried out. With one entry, the refusal is that entry's. */
const answersToRefusal = ({ name }: Error, entries: readonly BusEntry[]): BusAnswer[] => {
  const outcome = entries.length === 1 ? 'refused' : 'refused-together';
  return entries.map(() => ({ outcome, code: name }));
};

/**
 * A 4xx about the content. Not about content: missing rights, clock or credentials, throttling, and missing resources, which
 * concern every entry.
 */
const isAboutContent = (fault: unknown): fault is Error => {
  if (!(fault instanceof Error)) return false;
  const { $metadata } = fault as { $metadata?: { httpStatusCode?: number } };
  return refusals.includes($metadata?.httpStatusCode ?? 0) && !aboutTheAsker.test(fault.name);
};

const refusals = [400, 413, 422];

const aboutTheAsker =
  /throttl|toomany|limitexceeded|denied|auth|token|signature|client|expired|notfound|internal/i;

/** Asks until it succeeds once. */
const once = <Result>(ask: (signal: AbortSignal) => Promise<Result>) => {
  let answered = false;
  return async (signal: AbortSignal) => {
    if (!answered) await ask(signal);
    answered = true;
  };
};

/** Without `Time`: the bus sets its own, and the message has the time for its receiver. */
const toRequestEntry = (
  entry: BusEntry,
  { busName, source }: Pick<BusConfig, 'busName' | 'source'>,
): PutEventsRequestEntry => ({
  EventBusName: busName,
  Source: source,
  DetailType: entry.type,
  Detail: entryDetail(entry),
});

const answerOf = (entry: PutEventsResultEntry | undefined): BusAnswer => {
  if (entry?.EventId !== undefined) return { outcome: 'accepted', busEventId: entry.EventId };
  if (entry?.ErrorCode === undefined || isPassing(entry.ErrorCode)) return { outcome: 'unconfirmed' };
  return { outcome: 'refused', code: entry.ErrorCode };
};

/** `ThrottlingException`, `InternalFailure`, `InternalException` are not the entry's fault. */
const isPassing = (code: string) => /throttl|internal/i.test(code);
