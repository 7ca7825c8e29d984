import { covers } from '../shared/domain/ownership/grant.ts';
import type { Partner } from '../shared/domain/partner.ts';
import { presentPayment, type Visibility } from '../shared/domain/query/projection.ts';
import {
  addPayment,
  numericIdOf,
  type PaymentFacts,
  type PaymentIdentity,
} from '../shared/domain/transaction/payment.ts';
import type { JsonObject, StoredTransaction } from '../shared/domain/transaction/transaction.ts';
import { isTransactionUuid } from '../shared/domain/transaction/transaction-uuid.ts';
import { completes } from '../shared/events/rows.ts';
import { strongTag } from '../shared/http/entity-tag.ts';
import { readCommand } from '../shared/http/idempotency.ts';
import { type HandlerResult, problem } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { json } from '../shared/http/response.ts';
import { readPayment } from '../shared/http/write-body.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { RandomBytes } from '../shared/runtime/random-text.ts';
import type { NumericIds } from '../shared/store/transactions/numeric-ids.ts';
import {
  type OptimisticWriteDeps,
  type WriteDecision,
  writeOptimistically,
} from '../shared/write/optimistic-write.ts';

export type PaymentDeps = OptimisticWriteDeps & {
  ids: Pick<NumericIds, 'next'>;
  random: RandomBytes;
  log: Log;
  /** Asks publish-dormant to publish the completion of a transaction at once. */
  askForCompletion: (uuid: string) => Promise<void>;
};

/** The name of the operation in its records (V2-5). */
const operation = 'v2/payment/create';

/**
 * A partner records a payment of a transaction within its scope (V2-3). If the payment completes the transaction,
 * publish-dormant is asked to publish that before the response (interface 6.1).
 */
export const createPayment = async (
  event: HttpEvent & { partner: Partner },
  deps: PaymentDeps,
): Promise<HandlerResult> => {
  const { partner } = event;
  const body = readPayment(event);
  if (!body.ok) return body.problem;
  const { uuid, facts, bytes } = body.value;
  const caller = { kind: 'partner', id: partner.clientId } as const;
  const command = readCommand(event, { caller, route: 'v2/payment', bytes });
  if (!command.ok) return command.problem;
  if (!isTransactionUuid(uuid)) return unknownTransaction();
  const identity = identityOnce(deps);
  return writeOptimistically(
    {
      uuid,
      writer: 'partner',
      command: command.value,
      visibleTo: partner,
      knowsItsOwn: true,
      unknownAs: unknownTransaction(),
      isVisible: ({ transaction }) => covers(partner.grants, transaction.ndMeta),
      decide: async (before, now) => decide(facts, { before, now, ...(await identity(before)) }),
      onChanged: async (before, after) => {
        if (completes(before, after)) await announceCompletion(uuid, deps);
      },
    },
    deps,
  );
};

/** The usual 404, with the name of the member, because the address itself is right (ERR-1). */
export const unknownTransaction = () =>
  problem('transaction-not-found', {
    errors: [{ field: 'transaction', message: 'It is unknown, deleted, or outside your grants.' }],
  });

/** Never throws: the marker is due already, so a lost message only delays the completion until the next poll (I18). */
const announceCompletion = async (uuid: string, { askForCompletion, log }: PaymentDeps): Promise<void> => {
  try {
    await askForCompletion(uuid);
  } catch (fault) {
    log('completionLeft', {}, fault);
  }
};

type Identity = Omit<PaymentIdentity, 'transactionId'>;

/** One payment keeps its numbers over all tries. An unused number is a harmless gap (ID-2). */
const identityOnce = ({ ids, random }: PaymentDeps) => {
  let own: Identity | undefined;
  let newTransactionId: number | undefined;
  return async (before: StoredTransaction): Promise<PaymentIdentity> => {
    own ??= { id: await ids.next(), hash: Buffer.from(random(20)).toString('hex'), operation };
    const known = numericIdOf(before.transaction);
    if (known === undefined) newTransactionId ??= await ids.next();
    return { ...own, transactionId: known ?? Number(newTransactionId) };
  };
};

const decide = (
  facts: PaymentFacts,
  { before, ...made }: PaymentIdentity & { before: StoredTransaction; now: Date },
): WriteDecision => {
  // After a lost result of an earlier try, the payment is stored already. An import may have the same number, but never
  // the same random hash.
  const known = before.transaction.payments?.find(({ id, hash }) => id === made.id && hash === made.hash);
  const { transaction, payment } = known
    ? { transaction: before.transaction, payment: known }
    : addPayment(before.transaction, facts, made);
  return {
    transaction,
    toResponse: ({ version }, visibleTo) => paymentResponse(payment, version, visibleTo),
  };
};

/** The record as the caller may see it, with the transaction's version in the tag (COND-1). */
const paymentResponse = (payment: JsonObject, version: number, visibleTo: Visibility) => {
  const response = json(201, presentPayment(payment, visibleTo));
  return { ...response, headers: { ...response.headers, ETag: strongTag(version, response.body) } };
};
