import { z } from 'zod';
import { largestPerPage } from '../../../functions/shared/domain/query/parameters.ts';
import {
  elementNames,
  type OwnPropertyName,
} from '../../../functions/shared/domain/transaction/transaction.ts';
import { newTransactionSchema, transactionSchema } from '../../../functions/shared/schema/transaction.ts';
import { selectedDelivery, selectedNdMeta, selectedPayment } from './elements.ts';
import { transactionUuid } from './event-message.ts';
import { named, tellOf } from './named.ts';
import { shownElements } from './shown.ts';

const flag = z.literal([0, 1]);

const priceAdjustment = z.strictObject({ payment: z.boolean(), priceRule: z.boolean() });

/** Where answers and writes say the same of an own property. */
const told = {
  priceAdjustment: 'What adjusts the price: a payment, a price rule.',
  preselectedPaymentMethod: 'The name of a payment method; empty where none is chosen.',
  referrerUrl: 'Address of the page that the buyer came from; empty where none is known.',
  guestEmail: 'The email address of a guest.',
};

/** Interface 2.1. */
const own = {
  uuid: transactionUuid,
  status: flag.describe('0 = incomplete, 1 = complete.'),
  editable: z.boolean().describe('False from the payment on that completed the transaction.'),
  isDeleted: flag.describe(
    '1 stands in the last event and the last answer of a transaction alone: reads do not find it any more.',
  ),
  priceAdjustment,
  externalRedirect: flag,
  incentive: z.boolean(),
  document_id: z.string().nullable(),
  preselectedPaymentMethod: z.string().describe(told.preselectedPaymentMethod),
  referrerUrl: z.string().describe(told.referrerUrl),
  guestEmail: z.string().nullable(),
} satisfies Record<OwnPropertyName, z.ZodType>;

/** An element is there when `expand` or `fields` asks for it; it is null, or an empty list, when nothing was written. */
const expanded = z.strictObject(shownElements).partial().shape;

/** A transaction as answers show it without `fields`. */
const transaction = named(z.strictObject({ ...own, ...expanded }), 'Transaction', {
  description:
    'A transaction: its own properties always, and the elements that `expand` names. An element that nothing was written to is null, payments an empty list.',
});

/** A transaction as answers show it with `fields`: what was not asked for is not there. */
const selectedTransaction = named(
  z
    .strictObject({
      ...own,
      priceAdjustment: priceAdjustment.partial(),
      ...shownElements,
      ndMeta: selectedNdMeta,
      deliveryCollection: selectedDelivery.nullable(),
      payments: z.array(selectedPayment),
    })
    .partial(),
  'SelectedTransaction',
  { description: 'A transaction narrowed by `fields`: members that were not asked for are absent.' },
);

export const shownTransaction = z.union([transaction, selectedTransaction]);

/** Every accepted name of `expand`, as lists tell it. */
const expandNames = z
  .literal(elementNames.join(','))
  .describe('All names that `expand` takes, joined by commas.');

const link = (description: string) => z.strictObject({ href: z.url() }).describe(description);

const listLinks = named(
  z.strictObject({
    self: link('This page.'),
    first: link('The first page.'),
    last: link('The last page.'),
    prev: link('The page before, on every page but the first.').optional(),
    next: link(
      'The page after, on every page but the last. Followed, it neither repeats nor skips what was there when this page was read.',
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
    currentPage: z.int().min(1),
    perPage: z.int().min(1).max(largestPerPage),
  }),
  'ListMeta',
  { description: 'How much there is.' },
);

export const transactionList = named(
  z.strictObject({
    _expand: expandNames,
    data: z.array(shownTransaction).max(largestPerPage),
    _links: listLinks,
    _meta: listMeta,
  }),
  'TransactionList',
  { description: 'One page of transactions, oldest first.' },
);

export const newTransaction = named(newTransactionSchema, 'NewTransaction', {
  description: 'What a new transaction is given. Any other member is refused by name.',
});

export const transactionChange = named(transactionSchema, 'TransactionChange', {
  description:
    'What is written to a transaction. Members that are absent stay as they are; an element that is null is removed. Any other member is refused by name.',
});

tellOf(newTransactionSchema, {
  location: 'The location that it is for, of a storefront registered for the request’s `Origin`.',
  franchise: 'Its franchise, where it has several.',
  ...told,
});

tellOf(transactionSchema, {
  location: 'The location that it moves to, of a registered storefront; a partner moves within its grants.',
  franchise: 'Its franchise there, where the location has several.',
  isDeleted: '1 deletes it: reads do not find it any more, and partners are notified.',
  ...told,
});
