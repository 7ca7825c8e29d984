import { createHmac } from 'node:crypto';
import { deafUntilMs } from '../shared/domain/wrong-secrets.ts';
import type { WrongSecretStore } from '../shared/store/requests/wrong-secrets.ts';

/** Who is presented, and the network that the request came from. */
type Guesser = { clientId: string; network: string };

/** Each answers until when this client is not heard from this network, or nothing. */
export type GuessLimiter = {
  /** What this process knows already, which costs nothing. */
  remembered: (guesser: Guesser, nowMs: number) => number | undefined;
  afterRight: (guesser: Guesser, pepper: string, nowMs: number) => Promise<number | undefined>;
  afterWrong: (guesser: Guesser, pepper: string, nowMs: number) => Promise<number | undefined>;
};

/** So many that are not heard fit a process; the oldest is forgotten first, and then costs a request again. */
const mostRemembered = 10_000;

/**
 * Slows guessing down (O-55): counted in the store, so that it holds over all processes, and remembered by each of them, so
 * that a flood costs ever less. A wrong secret costs one write where a right one costs one read (TH-14).
 */
export const createGuessLimiter = (store: WrongSecretStore): GuessLimiter => {
  const deaf = new Map<string, number>();

  const remember = (guesser: Guesser, times: readonly number[], nowMs: number) => {
    const untilMs = deafUntilMs(times, nowMs);
    if (untilMs === undefined) return undefined;
    const [oldest] = deaf.keys();
    if (deaf.size >= mostRemembered && oldest !== undefined) deaf.delete(oldest);
    deaf.set(keyOf(guesser), untilMs);
    return untilMs;
  };

  return {
    remembered: (guesser, nowMs) => {
      const untilMs = deaf.get(keyOf(guesser));
      if (untilMs === undefined || nowMs < untilMs) return untilMs;
      deaf.delete(keyOf(guesser));
      return undefined;
    },
    afterRight: async (guesser, pepper, nowMs) =>
      remember(guesser, await store.timesOf(idOf(guesser, pepper)), nowMs),
    afterWrong: async (guesser, pepper, nowMs) =>
      remember(guesser, await store.add(idOf(guesser, pepper), nowMs), nowMs),
  };
};

const keyOf = ({ clientId, network }: Guesser) => [clientId, network].join(' ');

/** An address is personal, so no key of the store has one that could be found by trying all (S-64). */
const idOf = (guesser: Guesser, pepper: string) =>
  createHmac('sha256', pepper).update(keyOf(guesser)).digest('base64url');
