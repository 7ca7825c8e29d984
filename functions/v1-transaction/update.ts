import { readWriteQuery } from '../shared/domain/query/list-query.ts';
import { selectionTextOf } from '../shared/domain/query/selection.ts';
import { belongsTo } from '../shared/domain/session.ts';
import { sendsContent } from '../shared/domain/transaction/empty-checkout.ts';
import type { StoredTransaction } from '../shared/domain/transaction/transaction.ts';
import { isTransactionUuid } from '../shared/domain/transaction/transaction-uuid.ts';
import { readCommand } from '../shared/http/idempotency.ts';
import {
  type HandlerResult,
  invalidCredentials,
  notFound,
  type Problem,
  problem,
} from '../shared/http/problem.ts';
import { queryProblem } from '../shared/http/request-problems.ts';
import { readChange } from '../shared/http/write-body.ts';
import type { OptimisticWriteDeps } from '../shared/write/optimistic-write.ts';
import { updateTransaction } from '../shared/write/update-transaction.ts';
import { type OwnerDeps, ownerOf, visibleToSession } from './new-transaction.ts';
import type { CheckoutEvent } from './route.ts';

export type UpdateDeps = OptimisticWriteDeps & OwnerDeps;

/** A session changes one of its own transactions (V1-6). */
export const update = async (
  event: CheckoutEvent,
  uuid: string,
  deps: UpdateDeps,
): Promise<HandlerResult> => {
  const { session } = event;
  if (!session) return invalidCredentials({ tokenPresented: false });
  const selection = readWriteQuery(event.multiValueQueryStringParameters);
  if (!selection.ok) return queryProblem(selection);
  const body = readChange(event);
  if (!body.ok) return body.problem;
  const { change, bytes } = body.value;
  const caller = { kind: 'session', id: session.id } as const;
  const command = readCommand(event, { caller, route: `transaction/${uuid}`, bytes });
  if (!command.ok) return command.problem;
  if (!isTransactionUuid(uuid)) return notFound();
  return updateTransaction(
    event,
    {
      uuid,
      writer: 'session',
      change,
      command: command.value,
      view: {
        status: 200,
        headers: {},
        selection: selectionTextOf(event.multiValueQueryStringParameters),
      },
      selection: selection.value,
      visibleTo: visibleToSession,
      staysEmpty: !sendsContent(change),
      isVisible: (stored) => belongsTo(session.id, stored),
      refusal: closedToCheckouts,
      ownerAt: (claim) => ownerOf(event, claim, deps),
    },
    deps,
  );
};

/** Only partners may change a complete transaction (V1-6). */
const closedToCheckouts = ({ transaction }: StoredTransaction): Problem | undefined =>
  transaction.status === 0 ? undefined : problem('transaction-complete');
