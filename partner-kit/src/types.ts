import type { components } from './wire.ts';

type Schemas = components['schemas'];

/** Every list names the values of `expand`. The compiler checks that these are the same. */
const expandNames: Schemas['TransactionList']['_expand'] =
  'vehicle,ndMeta,extras,deliveryCollection,selectedPaymentMethod,financeProposal,valuation,customer,payments,financeDefaults';
type Split<Text extends string> = Text extends `${infer First},${infer Rest}`
  ? readonly [First, ...Split<Rest>]
  : readonly [Text];

/** The related records of a transaction, in the order used everywhere. */
export const elementNames = expandNames.split(',') as readonly string[] as Split<typeof expandNames>;
export type ElementName = (typeof elementNames)[number];

/** A transaction's own properties. */
export type OwnProperties = Omit<Schemas['Transaction'], ElementName>;

/** Its elements as `expand` shows them. One without content is null, and payments are an empty list. */
export type Elements = { readonly [Name in ElementName]-?: Exclude<Schemas['Transaction'][Name], undefined> };

/** A transaction with everything that the API shows of it. */
export type WholeTransaction = OwnProperties & Elements;

export type Vehicle = Schemas['Vehicle'];
export type NdMeta = Schemas['NdMeta'];
export type DeliveryCollection = Schemas['DeliveryCollection'];
export type Payment = Schemas['PaymentRecord'];
export type Customer = Schemas['Customer'];

/** What `update` may write. Absent members stay as they are, and an element that is null is removed. */
export type TransactionChange = Schemas['TransactionChange'];
/** What `payments.create` records. */
export type NewPayment = Schemas['NewPayment'];

export type ListLinks = Schemas['ListLinks'];
export type ListMeta = Schemas['ListMeta'];
export type PartnerRecord = Schemas['Partner'];
export type Webhook = Schemas['Webhook'];
/** The next value of `X-Webhook-Signature`. */
export type NextSignature = Schemas['NextSignature'];
/** A second client secret. */
export type NewSecret = Schemas['NewSecret'];
export type FieldError = Schemas['FieldError'];
export type WireProblem = Schemas['Problem'];
export type TokenResponse = Schemas['TokenResponse'];

export type TransactionUpdated = Schemas['TransactionUpdatedMessage'];
export type TransactionCompleted = Schemas['TransactionCompletedMessage'];
export type WebhookTest = Schemas['WebhookTestMessage'];

/** One event to you. */
export type PartnerEvent = Schemas['Event'];
export type EventState = PartnerEvent['state'];

/** The times between which events are replayed. */
export type Replay = Schemas['ReplayAnswer'];

/** The test that is about to be sent: the newest `WebhookTest` of `events.list` shows its result. */
export type WebhookTestReceipt = Schemas['WebhookTestAnswer'];
