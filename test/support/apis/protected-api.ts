import type { Context } from 'aws-lambda';
import type { JWK } from 'jose';
import type { PartnerStore } from '../../../bin/operator/store/partners/partner-store.ts';
import { createAccessTokenVerifier } from '../../../functions/shared/auth/access-token.ts';
import { createKeySet } from '../../../functions/shared/auth/verification-key.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { cached } from '../../../functions/shared/runtime/cached.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import { ringKeptMs } from '../../../functions/shared/store/keys/ring-reader.ts';
import { createPipeline } from '../../../functions/v2-read/pipeline.ts';
import { aRing } from '../builders/key-rings.ts';
import { createMemoryCursorKeys } from '../memory/cursor-keys.ts';
import { createMemoryDenylist, type MemoryDenylist } from '../memory/denylist.ts';
import { createMemoryPartners } from '../memory/partners.ts';
import { withoutPartnerRate } from '../memory/request-counts.ts';
import { createMemoryTransactions } from '../memory/transactions.ts';
import {
  type AskedFor,
  aStoredSecret,
  audience,
  authUrl,
  now,
  toAnswered,
  toEvent,
} from './token-service.ts';

/** Those of a token service, where both are to know the same. */
type ProtectedStores = { partners: PartnerStore; denylist: MemoryDenylist };

/** V2's own pipeline without storefronts, the given partners and the given published keys. */
export const createProtectedApi = (
  published: readonly JWK[],
  initial: readonly Partner[],
  change: { clock?: Clock; stores?: ProtectedStores } = {},
) => {
  let time = now.getTime();
  let reloads = 0;
  const { clock = () => new Date(time) } = change;
  const { partners, denylist } = change.stores ?? {
    partners: createMemoryPartners(initial.map((partner) => ({ partner, secrets: [aStoredSecret()] }))),
    denylist: createMemoryDenylist(),
  };
  const load = async () => {
    reloads += 1;
    return aRing(published);
  };
  const handler = createPipeline({
    baseUrl: 'https://api.example',
    clock,
    log: () => undefined,
    partners,
    denylist,
    ...withoutPartnerRate(),
    cursorKeys: createMemoryCursorKeys(),
    resourceMetadata: 'https://api.example/.well-known/oauth-protected-resource/api/v2',
    transactions: createMemoryTransactions(),
    verify: createAccessTokenVerifier({
      findKey: createKeySet({ readRing: cached(load, { forMs: ringKeptMs, clock }), clock }),
      issuer: authUrl,
      audience,
      clock,
    }),
  });
  const toList = { method: 'GET', path: '/api/v2/transaction', body: null };

  return {
    partners,
    denylist,
    reloads: () => reloads,
    passTime: (ms: number) => {
      time += ms;
    },
    ask: async (headers: AskedFor['headers'] = {}, query: Record<string, string> = {}) =>
      toAnswered(
        await handler(toEvent({ ...toList, headers, query }) as Parameters<typeof handler>[0], {} as Context),
      ),
  };
};
