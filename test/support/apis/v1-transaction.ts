import type { Context } from 'aws-lambda';
import { createSessionTokens } from '../../../functions/shared/auth/session-token.ts';
import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';
import type { Transaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createPipeline, type PipelineDeps } from '../../../functions/v1-transaction/pipeline.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import { heldKeys } from '../builders/key-rings.ts';
import { aNewTransaction } from '../builders/transactions.ts';
import { createMemoryCursorKeys } from '../memory/cursor-keys.ts';
import { createMemoryRequests } from '../memory/requests.ts';
import { createMemoryStorefronts } from '../memory/storefronts.ts';
import { createMemoryTransactions } from '../memory/transactions.ts';
import { aSessionKey, countedBytes, withoutDelays, withoutSignIn } from './stand-ins.ts';
import { read } from './v2-read.ts';

export const baseUrl = 'https://api.example';
export const shop = 'https://shop.example';
export const address = '/api/transaction';

export const aStorefront = (
  franchise: string,
  location: string,
  more: Partial<Storefront> = {},
): Storefront => ({
  name: `${franchise} ${location}`,
  owner: { group: 'G', franchise, branch: `Branch ${location}`, location, groupSoftware: '' },
  origins: [shop],
  retired: false,
  createdAtMs: 0,
  ...more,
});

/** Two locations at one origin, the first registered being its default; one more storefront as the stage's default. */
const usualStorefronts = [aStorefront('F1', 'north'), aStorefront('F1', 'south', { createdAtMs: 1 })];
const usualDefault = aStorefront('F9', 'stage', { origins: [] });

/** The V1 function over stores in memory, with real session tokens and a clock that moves only when told. */
export const aV1 = async ({
  registered = usualStorefronts,
  hasStageDefault = true,
  ...overrides
}: {
  registered?: readonly Storefront[];
  hasStageDefault?: boolean;
} & Partial<PipelineDeps> = {}) => {
  const time = { now: new Date('2026-03-01T12:00:00Z') };
  const clock = () => time.now;
  const keys = heldKeys([await aSessionKey()]);
  const tokens = createSessionTokens({ keys, baseUrl, clock });
  const requests = createMemoryRequests();
  const transactions = createMemoryTransactions(requests);
  const storefronts = createMemoryStorefronts();
  for (const storefront of registered) await storefronts.register(storefront);
  if (hasStageDefault) await storefronts.register(usualDefault, { isDefault: true });
  const { sessions, ...signIn } = withoutSignIn();
  const pipeline = createPipeline({
    transactions,
    storefronts,
    requests,
    cursorKeys: createMemoryCursorKeys(),
    retryDelays: withoutDelays,
    tokens,
    sessions,
    ...signIn,
    clock,
    random: countedBytes(),
    baseUrl,
    log: () => {},
    ...overrides,
  });
  const ask = async (target: string, more: Ask = {}) => {
    const event = httpEvent(target, more) as Parameters<typeof pipeline>[0];
    const answer = read(await pipeline(event, {} as Context));
    return { ...answer, token: answer.headers['authentication-token'] as string | undefined };
  };
  return {
    ask,
    tokens,
    transactions,
    storefronts,
    sessions,
    time,
    keys,
    /** A request of a session. */
    as: (token: string, target: string, { headers, ...more }: Ask = {}) =>
      ask(target, { ...more, headers: { Authorization: `Bearer ${token}`, ...headers } }),
    /** The session of a token that is valid. */
    sessionOf: async (token = '') => {
      const session = await tokens.verify(token);
      return session.ok ? session.value.id : 'none';
    },
    /** A transaction that some session has already. */
    given: async (session: string, changes: Partial<Transaction>) =>
      transactions.create(aNewTransaction(changes, { session })),
    howMany: async () => {
      let count = 0;
      for await (const _ of transactions.inCreationOrder()) count += 1;
      return count;
    },
  };
};
