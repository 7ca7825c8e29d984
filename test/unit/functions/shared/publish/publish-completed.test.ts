import { expect, test } from '@jest/globals';
import { eventIdOf } from '../../../../../functions/shared/domain/event/event.ts';
import { nextState } from '../../../../../functions/shared/domain/transaction/next-state.ts';
import { addPayment } from '../../../../../functions/shared/domain/transaction/payment.ts';
import type {
  StoredTransaction,
  Transaction,
} from '../../../../../functions/shared/domain/transaction/transaction.ts';
import { flushDue } from '../../../../../functions/shared/publish/flush.ts';
import { publishCompleted } from '../../../../../functions/shared/publish/publish-completed.ts';
import type { CompletionDeps } from '../../../../../functions/shared/publish/publish-deps.ts';
import type { PartnerDirectory } from '../../../../../functions/shared/store/partners/directory.ts';
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
const aCompletion = async ({
  edits = 0,
  edited = withEmail,
  partners: count = 1,
}: {
  edits?: number;
  edited?: typeof withEmail;
  partners?: number;
}) => {
  const stores = memoryStores(clock);
  const secrets: [] = [];
  const all = Array.from({ length: count }, (_, index) => ({
    partner: aPartner({
      ...{ clientId: index === 0 ? 'P' : `P${index}`, name: `p${index}` },
      webhookUrl: 'https://p.example/',
    }),
    secrets,
  }));
  const bus = aBus();
  const partners = directoryOver(createMemoryPartners(all));
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
  let ticks = 0;
  const askForFlush = async () => {
    ticks += 1;
  };
  let left = edits;
  let last = completed;
  const foundWhileEdited: PartnerDirectory['ofOwners'] = async (owners) => {
    if (left > 0) last = await change(last, edited(last.transaction, left));
    left -= 1;
    return partners.ofOwners(owners);
  };
  const deps: CompletionDeps = aPublishing({
    ...stores,
    clock,
    bus,
    partners: { ...partners, ofOwners: foundWhileEdited },
    askForFlush,
  });
  const marker = () => stores.cursors.get({ uuid: completed.transaction.uuid, kind: 'COMPLETED' });
  return { completed, deps, bus, marker, ticks: () => ticks, ...stores };
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

test('EV-16 a completion for twenty partners is published with its payment', async () => {
  const { completed, deps, bus, marker, ticks } = await aCompletion({ partners: 20 });

  await publishCompleted(completed, deps);

  expect(bus.taken).toHaveLength(20);
  expect(await marker()).not.toHaveProperty('dueAtMs');
  expect(ticks()).toBe(0);
});

test('EV-16 one for more is left to the flush, which is asked for at once', async () => {
  const { completed, deps, bus, marker, ticks } = await aCompletion({ partners: 21 });

  await publishCompleted(completed, deps);

  expect(bus.taken).toEqual([]);
  expect(await marker()).toMatchObject({ version: 2, dueAtMs: clock().getTime() });
  expect(ticks()).toBe(1);
  const { claimed } = await flushDue(deps, { beginUntilMs: clock().getTime() + 6_000 });
  expect([claimed, bus.taken.length]).toEqual([1, 21]);
});

test('EV-16 a payment whose stores are slow begins nothing more than three seconds after its write', async () => {
  const { completed, deps, bus, marker } = await aCompletion({});
  let nowMs = clock().getTime();
  const ofOwners: PartnerDirectory['ofOwners'] = (owners) => {
    nowMs += 3_000;
    return deps.partners.ofOwners(owners);
  };

  await publishCompleted(completed, {
    ...{ ...deps, partners: { ...deps.partners, ofOwners } },
    clock: () => new Date(nowMs),
  });

  expect(bus.taken).toEqual([]);
  expect(await marker()).toMatchObject({ dueAtMs: clock().getTime() + 10_000 });
  expect(await marker()).not.toHaveProperty('inflight');
});
