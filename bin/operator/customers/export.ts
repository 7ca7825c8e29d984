import { completeTransaction } from '../../../functions/shared/domain/transaction/shape.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { OperatorDeps } from '../deps.ts';
import { sendingsOf } from '../events/shown.ts';
import { type CustomerData, uuidsOf } from './find.ts';

/** The data that is held about a customer, since when, and the partners that were notified of it (S-62). */
export const customerExport = async (
  data: CustomerData,
  deps: Pick<OperatorDeps, 'sentLog' | 'partners' | 'deadLetters' | 'now'>,
) => ({
  email: data.email ?? null,
  exportedAt: isoOf(deps.now().getTime()),
  transactions: data.transactions.map(toExported),
  /** Answers that are kept for repeated requests of partners. */
  copies: data.copies.map(({ uuid, madeAtMs, content }) => ({
    ...{ transaction: uuid, madeAt: isoOf(madeAtMs), content },
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

/** The partners that were sent an event, as far back as the log goes. */
const recipientsOf = async (
  data: CustomerData,
  { sentLog, partners }: Pick<OperatorDeps, 'sentLog' | 'partners'>,
) => {
  const notified = [];
  for (const uuid of uuidsOf(data))
    for await (const { clientId, state, type, atMs = 0 } of sendingsOf(uuid, {}, { sentLog }))
      notified.push({
        transaction: uuid,
        partner: (await partners.byClientId(clientId))?.name ?? clientId,
        ...{ event: type, state, at: isoOf(atMs) },
      });
  return notified;
};

const isoOf = (atMs: number) => new Date(atMs).toISOString();
