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

/** The stores and services that waiting for `keep-endpoints` uses. */
export type EndpointWaitDeps = Pick<
  OperatorDeps,
  'partners' | 'webhookSwitch' | 'endpointRequests' | 'wait' | 'now'
>;

/** A message to `keep-endpoints`, and the status of its partner before it was sent. */
export type Awaited = EndpointMessage & { former: EndpointStatus | undefined };

/**
 * The state of a partner's endpoint. `reached`: the bus matches the record and knows a new target. `failing`: it cannot, for
 * the reason in `status`. `waiting`: neither yet, and `keep-endpoints` continues.
 */
export type Standing = {
  step: 'reached' | 'failing' | 'waiting';
  partner: Partner | undefined;
  wish: EndpointWish;
  /** The webhooks of the whole stage are stopped (S-77). */
  isStopped: boolean;
  status: EndpointStatus | undefined;
  /** All resources are made, and the bus does not know the target yet. */
  isAhead: boolean;
  /** The result of the requested check. */
  check: EndpointCheck | undefined;
};

/** How long to wait, and what to call at each poll. */
export type Patience = {
  /** The longest wait after the last partner that was done. */
  mostMs: number;
  onPoll: (done: number) => void;
  /** `check`: waits only until the check has a result. */
  until?: 'check';
};

const pollMs = 1_000;
const atOnce = 25;

/** Sends the messages to `keep-endpoints`. */
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
 * Waits until each endpoint matches its record or is failing. `keep-endpoints` works from the stored record, so nothing
 * depends on the wait.
 */
export const awaitEndpoints = async (
  awaited: readonly Awaited[],
  patience: Patience,
  deps: EndpointWaitDeps,
): Promise<Standing[]> => {
  const poll = async (found: readonly Found[]): Promise<Found[]> => {
    const isStopped = (await deps.webhookSwitch.read()) !== undefined;
    return ofEach(found, async (standing) =>
      standing.step === 'waiting'
        ? standingOf(standing.awaited, { isStopped, until: patience.until }, deps)
        : standing,
    );
  };
  const doneIn = (found: readonly Found[]) => found.filter(({ step }) => step !== 'waiting').length;

  let found = await poll(awaited.map((message) => ({ ...unknown, awaited: message })));
  for (let sinceProgressMs = 0; doneIn(found) < found.length && sinceProgressMs < patience.mostMs; ) {
    const done = doneIn(found);
    patience.onPoll(done);
    await deps.wait(pollMs);
    found = await poll(found);
    sinceProgressMs = doneIn(found) > done ? 0 : sinceProgressMs + pollMs;
  }
  return patience.until === 'check' ? found : found.map(withoutTime);
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

/** A partner that was removed meanwhile counts as reached. */
const stepOf = ({
  partner,
  status,
  wish,
  check,
  awaited: { former },
}: Omit<Found, 'step'>): Standing['step'] => {
  if (!partner) return 'reached';
  // A status from before the message says nothing about its effect.
  const isNews = check !== undefined || !isDeepStrictEqual(status, former);
  if (status?.state === 'failing') return isNews || isReached(status, wish) ? 'failing' : 'waiting';
  return status?.state === stateOf[wish.wanted] && isReached(status, wish) ? 'reached' : 'waiting';
};

const stateOf = { on: 'on', kept: 'paused', none: 'off' } as const;

/** After the wait, a missing check result or a target that the bus does not know yet does not hide a reached record. */
const withoutTime = (found: Found): Standing =>
  found.step === 'waiting' ? { ...found, step: stepOf(found) } : found;

const ofEach = async <One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const chunk of chunksOf(all, atOnce)) results.push(...(await Promise.all(chunk.map(work))));
  return results;
};
