import type { ErasureCounts, eraseCustomer } from '../customers/erase.ts';
import type { CustomerData } from '../customers/find.ts';
import { stampText } from './time.ts';

/** `3 transactions (1 deleted, 2 complete) and 5 copies of them` */
export const foundText = ({
  transactions,
  copies,
}: Pick<CustomerData, 'transactions' | 'copies'>): string => {
  const deleted = transactions.filter(({ transaction }) => transaction.isDeleted === 1).length;
  const complete = transactions.filter(({ transaction }) => transaction.status === 1).length;
  const states = transactions.length > 0 ? ` (${deleted} deleted, ${complete} complete)` : '';
  return `${transactions.length} transactions${states} and ${copies.length} copies of them`;
};

/** What the tool leaves to a person. */
export const mentionsText = ({ mentionedIn }: Pick<CustomerData, 'mentionedIn'>): string =>
  mentionedIn.length === 0
    ? ''
    : `Others that say the address somewhere, and are left as they are: ${mentionedIn.join(', ')}.\n`;

export const countsText = ({ transactions, copies }: ErasureCounts): string =>
  `${transactions} transactions and ${copies} copies`;

/** The receipt. */
export const erasureText = (erased: Awaited<ReturnType<typeof eraseCustomer>>): string =>
  `${countsText(erased)} were erased by ${stampText(erased.endedAtMs)} UTC.\nReceipt: ${erased.receipt}\n`;
