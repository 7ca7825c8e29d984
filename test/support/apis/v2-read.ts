import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { Transaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { createPipeline, type PipelineDeps } from '../../../functions/v2-read/pipeline.ts';
import { aPartner, aSecret } from '../builders/a-partner.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import { aNewTransaction, uuidOf } from '../builders/transactions.ts';
import { createMemoryCursorKeys } from '../memory/cursor-keys.ts';
import { createMemoryPartners } from '../memory/partners.ts';
import { createMemoryTransactions } from '../memory/transactions.ts';
import { partsOfV2, tokensWith } from './stand-ins.ts';

const stillClock = () => new Date('2026-03-01T12:00:00Z');

/** The V2 reads over stores in memory. A token is the client id itself; `write.<id>` lacks `nop2/read`. */
export const aV2Read = async ({
  transactions = [],
  partners = [aPartner()],
  reader,
  ...overrides
}: {
  transactions?: readonly Partial<Transaction>[];
  partners?: readonly Partner[];
} & Partial<Pick<PipelineDeps, 'log' | 'cursorKeys' | 'rates' | 'partnerRate' | 'clock'>> & {
    reader?: PipelineDeps['transactions'];
  } = {}) => {
  const store = createMemoryTransactions();
  const partnerStore = createMemoryPartners(partners.map((partner) => ({ partner, secrets: [aSecret()] })));
  await store.createMany(transactions.map((changes) => aNewTransaction(changes)));
  const pipeline = createPipeline({
    ...partsOfV2(),
    transactions: reader ?? store,
    partners: partnerStore,
    cursorKeys: createMemoryCursorKeys(),
    verify: tokensWith('read'),
    clock: stillClock,
    ...overrides,
  });
  const ask = (target: string, { headers, ...more }: Ask = {}) =>
    pipeline(
      httpEvent(target, {
        headers: { Authorization: `Bearer ${partners[0]?.clientId}`, ...headers },
        ...more,
      }),
      {} as Context,
    );
  return {
    store,
    partners: partnerStore,
    ask,
    get: async (target: string, more?: Ask) => read(await ask(target, more)),
  };
};

/** An answer with its body parsed. */
export const read = ({ statusCode, headers = {}, body }: APIGatewayProxyResult) => ({
  status: statusCode,
  headers,
  body: body === '' ? undefined : JSON.parse(body),
  text: body,
});

/** Transactions whose uuids count from 1. */
export const many = (count: number, changes: (n: number) => Partial<Transaction> = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({ uuid: uuidOf(index + 1), ...changes(index + 1) }));
