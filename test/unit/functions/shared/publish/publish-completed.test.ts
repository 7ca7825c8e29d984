import { expect, test } from '@jest/globals';
import { eventIdOf } from '../../../../../functions/shared/domain/event/event.ts';
import { nextState } from '../../../../../functions/shared/domain/transaction/next-state.ts';
import { addPayment } from '../../../../../functions/shared/domain/transaction/payment.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { publishCompleted } from '../../../../../functions/shared/publish/publish-completed.ts';
import type { CompletionDeps } from '../../../../../functions/shared/publish/publish-deps.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { aNewTransaction } from '../../../../support/builders/transactions.ts';
import { createMemoryPartners, directoryOver } from '../../../../support/memory/partners.ts';
import { aBus, aPublishing, memoryStores } from '../../../../support/memory/publishing.ts';

const clock = () => new Date('2026-11-21T12:00:00Z');
const identity = { id: 1, transactionId: 1, hash: 'a'.repeat(40), operation: 'v2/payment/create' };

const withEmail = (transaction: Transaction, number: number): Transaction => ({
  ...transaction,
  guestEmail: `${number}@example.com`,
});

/** A transaction that a payment has completed; `edits` more changes are made, each right before a claim. */
const aCompletion = async ({ edits, edited = withEmail }: { edits: number; edited?: typeof withEmail }) => {
  const stores = memoryStores(clock);
  const partner = aPartner({ clientId: 'P', webhookUrl: 'https://p.example/' });
  const bus = aBus();
  const partners = directoryOver(createMemoryPartners([{ partner, secrets: [] }]));
  const change = async (before: StoredTransaction, transaction: Transaction) => {
    const after = nextState(before, transaction, clock());
    const saved = after && (await stores.transactions.replace(before, after));
    if (!saved?.ok) throw new Error('not saved');
    return saved.value;
  };
  const [created] = await stores.transactions.createMany([aNewTransaction()]);
  if (!created?.ok) throw new Error('not created');
  const before = created.value;
  const facts = { type: 1, value: '99.00', status: 1 } as const;
  const completed = await change(
    before,
    addPayment(before.transaction, facts, { ...identity, now: clock() }).transaction,
  );
  let left = edits;
  let last = completed;
  const all = async () => {
    if (left > 0) last = await change(last, edited(last.transaction, left));
    left -= 1;
    return partners.all();
  };
  const deps: CompletionDeps = aPublishing({ ...stores, clock, bus, partners: { ...partners, all } });
  return { completed, deps, bus, ...stores };
};

test('I18 a change between the completing payment and its claim delays TransactionCompleted by no tick', async () => {
  const { completed, deps, bus, cursors } = await aCompletion({ edits: 15 });

  await publishCompleted(completed, deps);

  expect(bus.taken).toMatchObject([{ type: 'TransactionCompleted', from: 1, to: 2 }]);
  const marker = await cursors.get({ uuid: completed.transaction.uuid, kind: 'COMPLETED' });
  expect(marker).not.toHaveProperty('dueAtMs');
});

test('I8 a transaction that never rests keeps its marker for the flush', async () => {
  const { completed, deps, bus, cursors } = await aCompletion({ edits: 100 });

  await publishCompleted(completed, deps);

  expect(bus.taken).toEqual([]);
  const marker = await cursors.get({ uuid: completed.transaction.uuid, kind: 'COMPLETED' });
  expect(marker).toMatchObject({ version: 2, dueAtMs: clock().getTime() + 10_000 });
});

test('I7 a claim that was lost to a flusher is not made again', async () => {
  const { completed, deps, bus } = await aCompletion({ edits: 0 });

  await publishCompleted(completed, deps);
  await publishCompleted(completed, deps);

  expect(bus.taken).toHaveLength(1);
});

test('DEL-1 a completion that is published after the transaction was deleted shows its payments to no partner', async () => {
  const { completed, deps, bus, cursors, ledger } = await aCompletion({
    edits: 1,
    edited: (transaction) => ({ ...transaction, isDeleted: 1 }),
  });

  await publishCompleted(completed, deps);

  expect(bus.taken).toEqual([]);
  const { uuid } = completed.transaction;
  const eventId = eventIdOf('local', 'TransactionCompleted', uuid, { from: 1, to: 2 });
  expect(await ledger.delivery({ eventId, clientId: 'P' })).toMatchObject({
    state: 'SUPPRESSED',
    reason: 'DELETED',
  });
  expect(await cursors.get({ uuid, kind: 'COMPLETED' })).not.toHaveProperty('dueAtMs');
});
