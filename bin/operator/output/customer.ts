import { counted } from '../../../lib/counted.ts';
import type { Erased, ErasureCounts } from '../customers/erase.ts';
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
  return `${counted(transactions.length, 'transaction')}${states} and ${counted(copies.length, 'copy', 'copies')} of them`;
};

/** Everything that a person decides about, by uuid only, with the commands that show and erase it (S-82, S-88). */
export const leftToPersonText = ({
  mentionedIn,
  sameSession: { signedIn, anonymous },
}: Pick<CustomerData, 'mentionedIn' | 'sameSession'>): string =>
  [
    othersText(
      signedIn,
      `Of the same signed-in user, and not included without --same-user: ${counted(signedIn.size, 'transaction')}.`,
    ),
    othersText(
      anonymous,
      `Of the same anonymous session, perhaps of another person, and not included: ${counted(anonymous.size, 'transaction')}.`,
    ),
    othersText(
      mentionedIn,
      `The address is also mentioned in ${counted(mentionedIn.size, 'transaction')} of others, now or in a copy that is kept. Data of other customers is not changed.`,
    ),
  ].join('');

const othersText = (uuids: ReadonlySet<string>, sentence: string): string => {
  if (uuids.size === 0) return '';
  const named = [...uuids].map((uuid) => `--uuid ${uuid}`).join(' ');
  return [
    sentence,
    `Look at them:                      customer export others.json ${named}`,
    `Erase those of the same customer:  customer erase ${named}\n`,
  ].join('\n');
};

/** The same for programs. */
export const leftToPerson = ({
  mentionedIn,
  sameSession: { signedIn, anonymous },
}: Pick<CustomerData, 'mentionedIn' | 'sameSession'>) => ({
  mentionedIn: [...mentionedIn],
  sameSession: { signedIn: [...signedIn], anonymous: [...anonymous] },
});

export const countsText = ({ transactions, copies }: ErasureCounts): string =>
  `${counted(transactions, 'transaction')} and ${counted(copies, 'copy', 'copies')}`;

/** The dead letters that an export does not search: only the collector reads them. */
export const lettersText = (deadLetters: number): string =>
  deadLetters === 0
    ? ''
    : `Not searched, because they are in their queue: about ${counted(deadLetters, 'dead letter')}, of any customer. Try again when it is empty.\n`;

/** The receipt of an erasure. */
export const erasureText = (erased: Erased): string =>
  `${countsText(erased)} and ${counted(erased.deadLetters, 'dead letter')} were erased by ${stampText(erased.endedAtMs)} UTC.\nReceipt: ${erased.receipt}\n${leftText(erased)}`;

const leftText = ({ deadLettersLeft }: Erased): string =>
  deadLettersLeft === 0
    ? ''
    : `Left in the queue, of other customers or being collected: about ${counted(deadLettersLeft, 'dead letter')}.\n`;
