import { completeTransaction } from '../../../functions/shared/domain/transaction/shape.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';
import { type CustomerData, uuidsOf } from './find.ts';

/** The data that is held about a customer, since when, and the partners that were notified of it (S-62). */
export const customerExport = async (
  data: CustomerData,
  deps: Pick<OperatorDeps, 'deliveryLog' | 'partners' | 'deadLetters' | 'now'>,
) => ({
  email: data.email ?? null,
  exportedAt: isoOf(deps.now().getTime()),
  transactions: data.transactions.map(toExported),
  copies: data.copies.map(({ place, uuid, madeAtMs, content }) => ({
    ...{ place, transaction: uuid, madeAt: isoOf(madeAtMs), content },
  })),
  notifiedTo: await recipientsOf(data, deps),
  /** Dead letters of any customer: only the collector reads them. */
  deadLettersNotSearched: await deps.deadLetters.count(),
});

const toExported = ({ transaction, createdAtMs, updatedAtMs, session }: StoredTransaction) => ({
  ...completeTransaction(transaction),
  createdAt: isoOf(createdAtMs),
  updatedAt: isoOf(updatedAtMs),
  session: session ?? null,
});

/** The partners that were sent an event, as far back as the delivery log goes. */
const recipientsOf = async (
  data: CustomerData,
  { deliveryLog, partners }: Pick<OperatorDeps, 'deliveryLog' | 'partners'>,
) => {
  const notified = [];
  for (const uuid of uuidsOf(data))
    for await (const delivery of deliveryLog.deliveriesOfTransaction(uuid, {}))
      notified.push({
        transaction: delivery.uuid,
        partner: (await partners.byClientId(delivery.clientId))?.name ?? delivery.clientId,
        event: delivery.eventId,
        state: delivery.state,
        at: isoOf(delivery.claimedAtMs),
      });
  return notified;
};

const isoOf = (atMs: number) => new Date(atMs).toISOString();
