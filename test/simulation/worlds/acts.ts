import type { OperatorDeps } from '../../../bin/operator/deps.ts';
import { parseImportLine } from '../../../bin/operator/import/import-line.ts';
import { restoreTransaction } from '../../../bin/operator/import/restore.ts';
import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import {
  applyChange,
  type TransactionChange,
  toChange,
} from '../../../functions/shared/domain/transaction/change.ts';
import { sendsContent } from '../../../functions/shared/domain/transaction/empty-checkout.ts';
import { newTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import { withEntries } from '../../../functions/shared/domain/transaction/next-state.ts';
import type { JsonObject, Transaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { json } from '../../../functions/shared/http/response.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { Log } from '../../../functions/shared/runtime/logger.ts';
import type { RetryDelays } from '../../../functions/shared/store/dynamodb/retry.ts';
import type { NumericIds } from '../../../functions/shared/store/transactions/numeric-ids.ts';
import { writeOptimistically } from '../../../functions/shared/write/optimistic-write.ts';
import { createPayment } from '../../../functions/v2-write/create-payment.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { httpEvent } from '../../support/builders/http-event.ts';
import type { Ports } from '../kernel/ports.ts';
import type { ProcessKind } from '../kernel/process.ts';
import { hiddenOwner, owners } from './estate.ts';
import type { Act, Planned } from './program.ts';

export type ActDeps = Pick<Ports, 'transactions' | 'requests'> & {
  ids: Pick<NumericIds, 'next'>;
  clock: Clock;
  retryDelays: RetryDelays;
  random: (size: number) => Uint8Array;
  log: Log;
  askForCompletion: (uuid: string) => Promise<void>;
};

/** A partner that takes payments of every buyer; it has no endpoint, and gets no event. */
const cashier = {
  ...aPartner({ clientId: 'CASHIER', name: 'Cashier' }),
  grants: [...owners, hiddenOwner].map(({ group }) => ({ group })),
};

/** Which function an act runs in. The tool's restore is one read and one write, which end in the time of a function. */
export const kindOf = ({ act }: Act): ProcessKind => (act === 'pay' ? 'v2-write' : 'v1-transaction');

/** Carries an act out by the production code that callers reach. */
export const carryOut = async (planned: Planned, deps: ActDeps): Promise<unknown> => {
  const { uuid } = planned;
  switch (planned.act) {
    case 'begin':
      return begin(planned, deps);
    case 'change':
      return change(uuid, toChange(planned.kind, planned.body), deps);
    case 'move':
      return move(uuid, planned.owner, deps);
    case 'pay':
      return pay(uuid, planned.body, deps);
    case 'restore':
      return restoreTransaction(uuid, {
        transactions: deps.transactions,
        now: deps.clock,
        // Nobody signs in here.
        sessions: { endOf: async () => undefined },
      } as unknown as OperatorDeps);
    default:
      return planned satisfies never;
  }
};

const begin = async (
  { uuid, how, owner, body }: Planned & { act: 'begin' },
  { transactions, clock }: ActDeps,
) => {
  if (how === 'imported') {
    const { groupSoftware: _, ...ndMeta } = owner;
    const line = parseImportLine(JSON.stringify({ uuid, status: 0, ndMeta, ...body }), clock());
    if (!line.ok) throw new Error(`An import line was refused: ${JSON.stringify(line)}`);
    return transactions.createMany([line.value.created]);
  }
  const untouched = newTransaction({ uuid, owner, session: `session-${uuid}`, now: clock() });
  if (how === 'get-or-create') return transactions.create(untouched);
  return transactions.create(withEntries(untouched, toChange('replace', body)));
};

const change = (uuid: string, asked: TransactionChange, deps: ActDeps) =>
  write(uuid, (before) => applyChange(before, asked), deps, { staysEmpty: !sendsContent(asked) });

const move = (uuid: string, owner: NdMeta, deps: ActDeps) =>
  write(uuid, (before) => ({ ...before, ndMeta: owner }), deps, { staysEmpty: true });

const write = (
  uuid: string,
  changed: (before: Transaction) => Transaction,
  deps: ActDeps,
  { staysEmpty }: { staysEmpty: boolean },
) =>
  writeOptimistically(
    {
      uuid,
      writer: 'session',
      visibleTo: { showsPaymentTokens: false },
      isVisible: () => true,
      staysEmpty,
      command: undefined,
      decide: async (before) => ({
        transaction: changed(before.transaction),
        toResponse: () => json(200, {}),
      }),
    },
    deps,
  );

const pay = (transaction: string, body: JsonObject, deps: ActDeps) =>
  createPayment(
    {
      ...httpEvent('/api/v2/payment', {
        method: 'POST',
        body: JSON.stringify({ transaction, ...body }),
        headers: { 'Content-Type': 'application/json' },
      }),
      partner: cashier,
    },
    deps,
  );
