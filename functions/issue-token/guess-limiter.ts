import { createHmac } from 'node:crypto';
import { refusedUntilMs } from '../shared/domain/wrong-secrets.ts';
import type { WrongSecretStore } from '../shared/store/requests/wrong-secrets.ts';

/** The client id that is presented, and the network of the request. */
type Guesser = { clientId: string; network: string };

/** Each returns the time until which this client is refused from this network, or undefined. */
export type GuessLimiter = {
  /** What this process remembers, without a request to the store. */
  remembered: (guesser: Guesser, nowMs: number) => number | undefined;
  afterRight: (guesser: Guesser, pepper: string, nowMs: number) => Promise<number | undefined>;
  afterWrong: (guesser: Guesser, pepper: string, nowMs: number) => Promise<number | undefined>;
};

/** Bounds the memory of a process. A guesser that is forgotten costs a request to the store again. */
const mostRemembered = 10_000;

/**
 * Slows guessing down (O-55). The store counts over all processes; each process remembers whom to refuse, so a flood
 * costs few requests. A wrong secret costs one write, a right one costs one read (TH-14).
 */
export const createGuessLimiter = (store: WrongSecretStore): GuessLimiter => {
  const refused = new Map<string, number>();

  const remember = (guesser: Guesser, times: readonly number[], nowMs: number) => {
    const untilMs = refusedUntilMs(times, nowMs);
    if (untilMs === undefined) return undefined;
    const [oldest] = refused.keys();
    if (refused.size >= mostRemembered && oldest !== undefined) refused.delete(oldest);
    refused.set(keyOf(guesser), untilMs);
    return untilMs;
  };

  return {
    remembered: (guesser, nowMs) => {
      const untilMs = refused.get(keyOf(guesser));
      if (untilMs === undefined || nowMs < untilMs) return untilMs;
      refused.delete(keyOf(guesser));
      return undefined;
    },
    afterRight: async (guesser, pepper, nowMs) =>
      remember(guesser, await store.timesOf(idOf(guesser, pepper)), nowMs),
    afterWrong: async (guesser, pepper, nowMs) =>
      remember(guesser, await store.add(idOf(guesser, pepper), nowMs), nowMs),
  };
};

const keyOf = ({ clientId, network }: Guesser) => [clientId, network].join(' ');

/** An address is personal data, so the key is an HMAC, which cannot be found by trying all addresses (S-64). */
const idOf = (guesser: Guesser, pepper: string) =>
  createHmac('sha256', pepper).update(keyOf(guesser)).digest('base64url');
