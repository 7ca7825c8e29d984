import type { PutEventsRequestEntry, PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import type { Random } from '../../support/builders/random.ts';
import type { Faults } from '../kernel/faults.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { EndpointParts } from './endpoints.ts';
import type { Accepted, History } from './history.ts';
import type { Message } from './queue.ts';
import type { Answered, Receivers } from './receivers.ts';

export type BusDeps = {
  kernel: Kernel;
  random: Random;
  faults: Faults;
  history: History;
  receivers: Receivers;
  /** Rules and targets. Without a target, matching events are dropped, and retries are given up. */
  endpoints: Pick<EndpointParts, 'addressOf' | 'isTaken'>;
  refuses?: (clientId: string, uuid: string) => boolean;
  sendDeadLetter: (letter: Message) => void;
  /** Called for every attempt, on the embedded stage only. */
  onAttempt: (attempt: { eventId: string; clientId: string; isDelivered: boolean; note: string }) => void;
};

type Detail = {
  to: string;
  message: { [name: string]: unknown };
  delivery: { id: string; from: string; to: string; omitted: string };
};

/** EventBridge as our entries see it: rules by partner, API destinations with retries, dead letters. */
export const createBus = (deps: BusDeps) => {
  const { kernel, random, faults, history } = deps;
  let taken = 0;

  const take = (entry: PutEventsRequestEntry, by: string): string => {
    taken += 1;
    const busEventId = `bus-${taken}`;
    const detail = String(entry.Detail);
    const { to, delivery } = JSON.parse(detail) as Detail;
    const accepted: Accepted = {
      ...{ atMs: kernel.nowMs(), by, busEventId, detail, clientId: to, eventId: delivery.id },
      source: String(entry.Source),
      detailType: String(entry.DetailType),
      from: Number(delivery.from),
      to: Number(delivery.to),
      omitted: delivery.omitted,
      message: messageIn(detail),
    };
    history.accepted.push(accepted);
    if (!deps.endpoints.isTaken(to)) {
      history.dropped.push(accepted);
      return busEventId;
    }
    const times = faults.hits('entry-doubled') ? 2 : 1;
    for (let copy = 0; copy < times; copy += 1)
      kernel.after(random.integer(20, 400), () => attempt(accepted, 0));
    return busEventId;
  };

  /** One try at the endpoint; what the bus tries again it tries later. */
  const attempt = (accepted: Accepted, retries: number) => {
    const { clientId, eventId } = accepted;
    const url = deps.endpoints.addressOf(clientId);
    if (url === undefined) return giveUp(accepted, { code: 'NO_RESOURCE', said: 'No resource', retries });
    const answer = deps.receivers.ask({
      atMs: kernel.nowMs(),
      clientId,
      url,
      body: accepted.message,
      headers: headersOf(accepted),
    });
    const isDelivered = answer.kind === 'answered' && answer.status < 300;
    const note = answer.kind === 'answered' ? `HTTP_${answer.status}` : answer.kind;
    kernel.after(answer.afterMs, () => {
      deps.onAttempt({ eventId, clientId, isDelivered, note });
      if (isDelivered) return;
      const fault = lastFaultOf(answer);
      if (fault) giveUp(accepted, { ...fault, retries });
      else kernel.after(backoffMs(retries, random), () => attempt(accepted, retries + 1));
    });
  };

  const giveUp = (
    accepted: Accepted,
    { code, said, retries }: { code: string; said: string; retries: number },
  ) =>
    deps.sendDeadLetter({
      body: JSON.stringify({
        version: '0',
        id: accepted.busEventId,
        'detail-type': accepted.detailType,
        source: accepted.source,
        detail: JSON.parse(accepted.detail),
      }),
      attributes: {
        RULE_ARN: `arn:aws:events:rule/${accepted.clientId}`,
        TARGET_ARN: `arn:aws:events:target/${accepted.clientId}`,
        ERROR_CODE: code,
        ERROR_MESSAGE: said,
        RETRY_ATTEMPTS: String(retries),
      },
    });

  return {
    /** PutEvents: an answer for each entry, refused ones among them. */
    putEvents: (entries: readonly PutEventsRequestEntry[], by: string): PutEventsResultEntry[] => {
      const bytes = entries.reduce((sum, { Detail = '' }) => sum + Buffer.byteLength(Detail) + 100, 0);
      history.puts.push({ atMs: kernel.nowMs(), entries: entries.length, bytes });
      return entries.map((entry) => {
        const { to, delivery } = JSON.parse(String(entry.Detail)) as Detail;
        const isRefused = deps.refuses?.(to, uuidIn(entry)) === true;
        if (!isRefused && !faults.hits('entry-refused')) return { EventId: take(entry, by) };
        history.refused.push({ atMs: kernel.nowMs(), clientId: to, uuid: uuidIn(entry), delivery });
        history.struck.push({
          atMs: kernel.nowMs(),
          what: `entry for ${to} refused`,
          by,
          uuid: uuidIn(entry),
        });
        if (isRefused) return { ErrorCode: 'NotAuthorizedForSourceException' };
        return {
          ErrorCode: random.oneOf([
            'ThrottlingException',
            'InternalFailure',
            'NotAuthorizedForSourceException',
          ]),
        };
      });
    },
  };
};

export type Bus = ReturnType<typeof createBus>;

/** What the rule's input path takes out of `detail`: the member's own bytes. */
const messageIn = (detail: string): string => {
  const start = detail.indexOf('"message":') + '"message":'.length;
  return detail.slice(start, detail.lastIndexOf(',"delivery":'));
};

const uuidIn = ({ Detail = '' }: PutEventsRequestEntry) =>
  ((JSON.parse(Detail) as Detail).message.detail as { uuid: string }).uuid;

/** As the target of a partner is set up. */
const headersOf = ({ eventId, from, to, omitted }: Accepted) => ({
  'Idempotency-Key': eventId,
  'X-Transaction-From-Version': String(from),
  'X-Transaction-Version': String(to),
  ...(omitted !== '' && { 'X-Transaction-Omitted': omitted }),
});

/** Why an answer is the last one; undefined when it is tried again. */
const lastFaultOf = (answer: Answered): { code: string; said: string } | undefined => {
  if (answer.kind === 'timed-out') return undefined;
  if (answer.kind === 'unreachable')
    return {
      code: 'SDK_CLIENT_ERROR',
      said: 'Unable to invoke ApiDestination endpoint: API destination endpoint cannot be reached.',
    };
  const { status } = answer;
  return isPassing(status)
    ? undefined
    : { code: 'ERROR_FROM_TARGET', said: `The endpoint answered with status ${status}` };
};

const isPassing = (status: number) => [401, 407, 409, 429].includes(status) || status >= 500;

/** Exponential with jitter; capped low, so that a world sees the end of it. */
const backoffMs = (retries: number, random: Random) =>
  Math.round(Math.min(60_000, 1_000 * 2 ** retries) * (0.5 + random.next() / 2));
