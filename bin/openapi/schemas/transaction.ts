import { z } from 'zod';
import { largestPerPage } from '../../../functions/shared/domain/query/parameters.ts';
import {
  elementNames,
  type OwnPropertyName,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { newTransactionSchema, transactionSchema } from '../../../functions/shared/schema/transaction.ts';
import { selectedDelivery, selectedNdMeta, selectedPayment } from './elements.ts';
import { transactionUuid } from './event-message.ts';
import { href } from './links.ts';
import { describeMembers, named } from './named.ts';
import { aboutElements, shownElements } from './shown.ts';

const flag = z.literal([0, 1]);

const adjusts = {
  payment: 'Whether a payment adjusts the price.',
  priceRule: 'Whether a rule of the shop adjusts the price.',
};
const priceAdjustment = z.strictObject({
  payment: z.boolean().describe(adjusts.payment),
  priceRule: z.boolean().describe(adjusts.priceRule),
});

/** Own properties that answers and writes describe in the same way. */
const told = {
  priceAdjustment: 'What adjusts the price: a payment, a price rule.',
  externalRedirect: 'A flag that the checkout sets: 0 or 1. What it means to partners is not specified.',
  incentive: 'A flag that the checkout sets: true or false. What it means to partners is not specified.',
  document_id: 'Id of a document that belongs to the transaction. Null if there is none.',
  preselectedPaymentMethod: 'The name of a payment method: `finance`. Empty if none is chosen.',
  referrerUrl: 'Address of the page that the buyer came from. Empty if none is known.',
  guestEmail: 'The email address of a buyer who has not signed in. Null if none was entered.',
};

/** Elements in a write, where `null` removes one. */
const { ndMeta: _owner, payments: _payments, ...writtenElements } = aboutElements;
const toldOfWrites = {
  ...told,
  priceAdjustment: [told.priceAdjustment, adjusts],
  ...Object.fromEntries(
    Object.entries(writtenElements).map(([name, about]) => [name, `${about} Null removes it.`]),
  ),
} as const;

/** Interface 2.1. */
const own = {
  uuid: transactionUuid,
  status: flag.describe('0 = incomplete, 1 = complete: a payment completed it.'),
  editable: z
    .boolean()
    .describe('Whether the checkout can still change it: false after a payment has completed it.'),
  isDeleted: flag.describe(
    '0 = it exists, 1 = it is deleted. Only the event and the answer of the deletion have 1, because reads no longer find it.',
  ),
  priceAdjustment: priceAdjustment.describe(told.priceAdjustment),
  externalRedirect: flag.describe(told.externalRedirect),
  incentive: z.boolean().describe(told.incentive),
  document_id: z.string().nullable().describe(told.document_id),
  preselectedPaymentMethod: z.string().describe(told.preselectedPaymentMethod),
  referrerUrl: z.string().describe(told.referrerUrl),
  guestEmail: z.string().nullable().describe(told.guestEmail),
} satisfies Record<OwnPropertyName, z.ZodType>;

/** An element is present if `expand` or `fields` selects it. It is null, or an empty list, if nothing was written. */
const expanded = z.strictObject(shownElements).partial().shape;

/** A transaction in an answer without `fields`. */
const transaction = named(z.strictObject({ ...own, ...expanded }), 'Transaction', {
  description:
    'A transaction with its own properties, and the elements that `expand` names. An element that it does not have is null; without payments, `payments` is an empty list.',
});
describeMembers(transaction, aboutElements);

/** A transaction in an answer with `fields`: members that were not selected are absent. */
const selectedTransaction = named(
  z
    .strictObject({
      ...own,
      priceAdjustment: priceAdjustment.partial().describe(told.priceAdjustment),
      ...shownElements,
      ndMeta: selectedNdMeta,
      deliveryCollection: selectedDelivery.nullable(),
      payments: z.array(selectedPayment),
    })
    .partial(),
  'SelectedTransaction',
  { description: 'A transaction narrowed by `fields`: other members are absent.' },
);
describeMembers(selectedTransaction, aboutElements);

export const shownTransaction = z.union([transaction, selectedTransaction]);

/** Every accepted name of `expand`, as the description of lists has it. */
const expandNames = z
  .literal(elementNames.join(','))
  .describe('All names that `expand` accepts, separated by commas.');

const link = (description: string) => z.strictObject({ href }).describe(description);

const listLinks = named(
  z.strictObject({
    self: link('The page that you have read.'),
    first: link('The page with the oldest transactions.'),
    last: link('The page with the newest transactions.'),
    prev: link('The page before, on every page but the first.').optional(),
    next: link(
      'The page after, on every page but the last. Following it repeats and skips nothing.',
    ).optional(),
  }),
  'ListLinks',
  { description: 'Absolute addresses of other pages, with every parameter of the request.' },
);

const count = z.int().min(0);

const listMeta = named(
  z.strictObject({
    totalCount: count.describe('How many transactions match, exactly.'),
    pageCount: count.describe('How many pages they fill; 0 when nothing matches.'),
    currentPage: z.int().min(1).describe('Which page this is, counted from 1.'),
    perPage: z.int().min(1).max(largestPerPage).describe('How many transactions a full page holds.'),
  }),
  'ListMeta',
  { description: 'Totals of the list.' },
);

export const transactionList = named(
  z.strictObject({
    _expand: expandNames,
    data: z.array(shownTransaction).max(largestPerPage).describe('The transactions of this page.'),
    _links: listLinks.describe('Where other pages are.'),
    _meta: listMeta.describe('How many transactions and pages there are.'),
  }),
  'TransactionList',
  { description: 'One page of transactions, oldest first.' },
);

export const newTransaction = named(newTransactionSchema, 'NewTransaction', {
  description: 'Contents of a new transaction. An unknown member is refused.',
});

export const transactionChange = named(transactionSchema, 'TransactionChange', {
  description:
    'A change of a transaction. Members that are absent stay as they are, and null removes an element. An unknown member is refused.',
});

describeMembers(newTransactionSchema, {
  location:
    'The location of the transaction. It must have a storefront that is registered for the `Origin` of the request.',
  franchise: 'The franchise at that location, if it has several.',
  ...toldOfWrites,
});

describeMembers(transactionSchema, {
  location:
    'The location to move the transaction to. It must have a registered storefront, within your grants.',
  franchise: 'The franchise at that location, if it has several.',
  isDeleted: '1 deletes it: reads no longer find it, and partners are notified.',
  ...toldOfWrites,
});
