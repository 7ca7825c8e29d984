import { isDeepStrictEqual } from 'node:util';
import type {
  EndpointCheck,
  EndpointStatus,
  EndpointWish,
} from '../../../functions/shared/domain/endpoint.ts';
import { endpointWishOf, isReached } from '../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { EndpointMessage } from '../../../functions/shared/outbound/endpoint-requests.ts';
import { chunksOf } from '../../../functions/shared/runtime/chunks.ts';
import type { OperatorDeps } from '../deps.ts';

/** What waiting for `keep-endpoints` works with. */
export type EndpointWaitDeps = Pick<
  OperatorDeps,
  'partners' | 'webhookSwitch' | 'endpointRequests' | 'wait' | 'now'
>;

/** A partner that `keep-endpoints` was asked to look at, and its status before that. */
export type Awaited = EndpointMessage & { former: EndpointStatus | undefined };

/**
 * How a partner's endpoint stands. `reached`: the bus matches the record, and is waited for until it knows a new target. `failing`: it cannot, for the reason in the status.
 * `waiting`: neither yet, and `keep-endpoints` goes on with it.
 */
export type Standing = {
  step: 'reached' | 'failing' | 'waiting';
  partner: Partner | undefined;
  wish: EndpointWish;
  /** The webhooks of the whole stage (S-77). */
  isStopped: boolean;
  status: EndpointStatus | undefined;
  /** All is made, and the bus does not know the target yet. */
  isAhead: boolean;
  /** The answer to the check that was asked for. */
  check: EndpointCheck | undefined;
};

/** How long to wait, and who is told of each poll. */
export type Patience = {
  /** So long after the last partner that got there. */
  mostMs: number;
  onPoll: (done: number) => void;
  /** `check`: until the check is answered, whatever the record wants. */
  until?: 'check';
};

const pollMs = 1_000;
/** So many records are read at once. */
const atOnce = 25;

/** Asks `keep-endpoints` to look at these partners: one message each. */
export const wakeEndpoints = async (
  messages: readonly EndpointMessage[],
  { partners, endpointRequests }: EndpointWaitDeps,
): Promise<Awaited[]> => {
  const awaited = await ofEach(messages, async (message) => ({
    ...message,
    former: (await partners.profileOf(message.clientId))?.endpoint,
  }));
  await endpointRequests.send(messages);
  return awaited;
};

/**
 * Waits until each of these is as its record wants, or is failing. Nothing depends on who waits: the record is written, and
 * `keep-endpoints` goes on without it.
 */
export const awaitEndpoints = async (
  awaited: readonly Awaited[],
  patience: Patience,
  deps: EndpointWaitDeps,
): Promise<Standing[]> => {
  const poll = async (found: readonly Found[]): Promise<Found[]> => {
    const isStopped = (await deps.webhookSwitch.read()) !== undefined;
    return ofEach(found, async (one) =>
      one.step === 'waiting' ? standingOf(one.awaited, { isStopped, until: patience.until }, deps) : one,
    );
  };
  const doneIn = (found: readonly Found[]) => found.filter(({ step }) => step !== 'waiting').length;

  let found = await poll(awaited.map((one) => ({ ...unknown, awaited: one })));
  for (let quietMs = 0; doneIn(found) < found.length && quietMs < patience.mostMs; ) {
    const done = doneIn(found);
    patience.onPoll(done);
    await deps.wait(pollMs);
    found = await poll(found);
    quietMs = doneIn(found) > done ? 0 : quietMs + pollMs;
  }
  return found.map(patience.until === 'check' ? (one) => one : withoutTime);
};

type Found = Standing & { awaited: Awaited };
const unknown: Standing = {
  ...{ step: 'waiting', partner: undefined, wish: { wanted: 'none' }, isStopped: false },
  ...{ isAhead: false, status: undefined, check: undefined },
};

const standingOf = async (
  awaited: Awaited,
  { isStopped, until }: { isStopped: boolean; until: 'check' | undefined },
  { partners, now }: EndpointWaitDeps,
): Promise<Found> => {
  const profile = await partners.profileOf(awaited.clientId);
  const { partner, endpoint: status } = profile ?? {};
  const check = status?.checked?.id === awaited.check?.id ? status?.checked : undefined;
  const wish = endpointWishOf(partner, isStopped);
  const isAhead = wish.wanted === 'on' && status?.state === 'on' && status.sinceMs > now().getTime();
  const found = { awaited, partner, status, check, wish, isStopped, isAhead };
  const isChecked = awaited.check === undefined || check !== undefined;
  if (profile && !isChecked) return { ...found, step: 'waiting' };
  if (until === 'check') return { ...found, step: 'reached' };
  const step = stepOf(found);
  return { ...found, step: step === 'reached' && isAhead ? 'waiting' : step };
};

/** Nothing is awaited of a partner that somebody removed meanwhile. */
const stepOf = ({
  partner,
  status,
  wish,
  check,
  awaited: { former },
}: Omit<Found, 'step'>): Standing['step'] => {
  if (!partner) return 'reached';
  // A status from before the change says nothing about it.
  const isNews = check !== undefined || !isDeepStrictEqual(status, former);
  if (status?.state === 'failing') return isNews || isReached(status, wish) ? 'failing' : 'waiting';
  return status?.state === stateOf[wish.wanted] && isReached(status, wish) ? 'reached' : 'waiting';
};

const stateOf = { on: 'on', kept: 'paused', none: 'off' } as const;

/** Neither a check that nobody answered nor a target that the bus does not know yet hides that the record is reached. */
const withoutTime = (found: Found): Standing =>
  found.step === 'waiting' ? { ...found, step: stepOf(found) } : found;

const ofEach = async <One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const some of chunksOf(all, atOnce)) results.push(...(await Promise.all(some.map(work))));
  return results;
};
