import type { Context } from 'aws-lambda';
import { createImportWriter } from '../../../bin/operator/store/transactions/import-writer.ts';
import type { SessionTokens } from '../../../functions/shared/auth/session-token.ts';
import type { RetryDelays } from '../../../functions/shared/store/dynamodb/retry.ts';
import { createRequestStore } from '../../../functions/shared/store/requests/requests.ts';
import { createNumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import type { WriterDeps } from '../../../functions/shared/store/transactions/write.ts';
import { createPipeline as createV2 } from '../../../functions/v2-write/pipeline.ts';
import { aPartner, aSecret } from '../builders/a-partner.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import { readerWithoutDrift } from '../engine/transaction-reader.ts';
import { createMemoryPartners } from '../memory/partners.ts';
import { countedBytes, partsOfV2, tokensWith } from './stand-ins.ts';
import { aStorefront, aV1 } from './v1-transaction.ts';
import { read } from './v2-read.ts';

/** Where transactions belong; the second partner sees the first group alone. */
export const owners = [
  ['G1', 'north'],
  ['G1', 'south'],
  ['G2', 'east'],
].map(([group = '', location = '']) => ({
  group,
  franchise: 'F',
  branch: `Branch ${location}`,
  location,
  groupSoftware: '',
}));
export const partners = [
  aPartner({ clientId: 'WIDE', name: 'Wide', grants: [{ group: 'G1' }, { group: 'G2' }] }),
  aPartner({ clientId: 'NARROW', name: 'Narrow', grants: [{ group: 'G1' }] }),
];

export type WriteApisDeps = WriterDeps & {
  requestsTable: string;
  debounceTable: string;
  retryDelays: RetryDelays;
};

/** Both write functions over real tables; partners, storefronts and the clock are stand-ins. A V2 token is the client id. */
export const openWriteApis = async (deps: WriteApisDeps) => {
  const store = {
    ...readerWithoutDrift({ ...deps, membersOf: async () => [] }),
    ...createImportWriter(deps),
  };
  const clock = risingClock();
  const shared = {
    transactions: store,
    requests: createRequestStore(deps),
    random: countedBytes(),
    retryDelays: deps.retryDelays,
    clock,
  };
  const registered = owners.map((owner, createdAtMs) =>
    aStorefront(owner.franchise, owner.location, { owner, createdAtMs }),
  );
  const v1 = await aV1({ ...shared, registered, hasStageDefault: false });
  const partnerStore = createMemoryPartners(partners.map((partner) => ({ partner, secrets: [aSecret()] })));
  const v2 = createV2({
    ...partsOfV2(),
    ...shared,
    storefronts: v1.storefronts,
    ids: createNumericIds(deps),
    partners: partnerStore,
    // Markers of completions stay unclaimed.
    askForCompletion: async () => {},
    verify: tokensWith('read', 'write'),
  });
  return {
    store,
    clock,
    ask: async (target: string, more: Ask): Promise<Reply> =>
      target.includes('/v2/')
        ? read(await v2(httpEvent(target, more) as never, {} as Context))
        : v1.ask(target, more),
    tokenOf: keptTokens(v1.tokens),
  };
};

export type Reply = { status: number; headers: Record<string, unknown>; text: string };

/** One token for each session serves all its requests. */
const keptTokens = ({ issue }: SessionTokens) => {
  const kept = new Map<string, Promise<string>>();
  return (session: string) => {
    const token = kept.get(session) ?? issue(session);
    kept.set(session, token);
    return token;
  };
};

const risingClock = () => {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  return () => {
    nowMs += 7;
    return new Date(nowMs);
  };
};
