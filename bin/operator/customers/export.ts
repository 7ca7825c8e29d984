import { completeTransaction } from '../../../functions/shared/domain/transaction/shape.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';
import { type CustomerData, uuidsOf } from './find.ts';

/** What a customer may ask for (S-62): what is held, since when, and who was notified. */
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
  /** Of any customer: they are for the collector to read, and were not searched. */
  deadLettersNotSearched: await deps.deadLetters.count(),
});

const toExported = ({ transaction, createdAtMs, updatedAtMs, session }: StoredTransaction) => ({
  ...completeTransaction(transaction),
  createdAt: isoOf(createdAtMs),
  updatedAt: isoOf(updatedAtMs),
  session: session ?? null,
});

/** Each partner that was sent an event, as far back as the delivery log goes. */
const recipientsOf = async (
  data: CustomerData,
  { deliveryLog, partners }: Pick<OperatorDeps, 'deliveryLog' | 'partners'>,
) => {
  const notified = [];
  for (const uuid of uuidsOf(data))
    for await (const one of deliveryLog.deliveriesOfTransaction(uuid, {}))
      notified.push({
        transaction: one.uuid,
        partner: (await partners.byClientId(one.clientId))?.name ?? one.clientId,
        event: one.eventId,
        state: one.state,
        at: isoOf(one.claimedAtMs),
      });
  return notified;
};

const isoOf = (atMs: number) => new Date(atMs).toISOString();
