import type { Context } from 'aws-lambda';
import type { Storefront } from '../../../functions/shared/domain/ownership/storefront.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { Transaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createPipeline, type PipelineDeps } from '../../../functions/v2-write/pipeline.ts';
import { aPartner, aSecret } from '../builders/a-partner.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import { aNewTransaction } from '../builders/transactions.ts';
import { createMemoryNumericIds } from '../memory/numeric-ids.ts';
import { createMemoryPartners } from '../memory/partners.ts';
import { createMemoryStorefronts } from '../memory/storefronts.ts';
import { memoryStores } from '../memory/stores.ts';
import { countedBytes, partsOfV2, tokensWith, withoutDelays } from './stand-ins.ts';
import { read } from './v2-read.ts';

const now = new Date('2026-03-01T12:00:00.500Z');

export type AskWith = Omit<Ask, 'body'> & { body?: unknown; partner?: string };

/**
 * The V2 writes over stores in memory. A token is the client id with the OAuth scopes before it, such as
 * `read.write.<id>`; a token without any has both.
 */
export const aV2Write = async ({
  transactions = [],
  partners = [aPartner()],
  registered = [],
  ...overrides
}: {
  transactions?: readonly Partial<Transaction>[];
  partners?: readonly Partner[];
  registered?: readonly Storefront[];
} & Partial<Omit<PipelineDeps, 'transactions' | 'partners'>> = {}) => {
  const time = { now };
  const clock = () => time.now;
  const { transactions: store, requests, debounceTable } = memoryStores(clock);
  await store.createMany(transactions.map((changes) => aNewTransaction(changes)));
  const storefronts = createMemoryStorefronts();
  for (const storefront of registered) await storefronts.register(storefront);
  const partnerStore = createMemoryPartners(partners.map((partner) => ({ partner, secrets: [aSecret()] })));
  const asked: string[] = [];
  const pipeline = createPipeline({
    ...partsOfV2(),
    transactions: store,
    partners: partnerStore,
    requests,
    storefronts,
    ids: createMemoryNumericIds(),
    random: countedBytes(),
    retryDelays: withoutDelays,
    verify: tokensWith('read', 'write'),
    clock,
    askForCompletion: async (uuid) => void asked.push(uuid),
    ...overrides,
  });
  /** A text body is sent as it is, anything else as JSON. */
  const ask = async (
    target: string,
    { partner = partners[0]?.clientId ?? '', headers, body, method = 'PATCH', ...more }: AskWith = {},
  ) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const event = httpEvent(target, {
      method,
      headers: { Authorization: `Bearer ${partner}`, 'Content-Type': 'application/json', ...headers },
      ...(text !== undefined && { body: text }),
      ...more,
    });
    return read(await pipeline(event, {} as Context));
  };
  const stores = { store, storefronts, requests, partners: partnerStore, debounceTable };
  return { ...stores, ask, time, asked };
};
