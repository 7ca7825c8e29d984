// Made by `npm run openapi` of docs/openapi.json, which is made of the schemas that the service validates with.
// Do not edit.

/** What explains a problem: the paragraph that its `type` leads to. */
export type ProblemName =
  | 'bad-request'
  | 'malformed-body'
  | 'malformed-idempotency-key'
  | 'answer-too-large'
  | 'invalid-credentials'
  | 'forbidden'
  | 'insufficient-scope'
  | 'no-storefront'
  | 'not-found'
  | 'transaction-not-found'
  | 'method-not-allowed'
  | 'transaction-complete'
  | 'session-full'
  | 'test-not-replayable'
  | 'read-scope-missing'
  | 'webhook-missing'
  | 'webhook-paused'
  | 'webhook-paused-by-operator'
  | 'signature-not-announced'
  | 'changed-meanwhile'
  | 'precondition-failed'
  | 'content-too-large'
  | 'transaction-too-large'
  | 'payments-too-large'
  | 'unsupported-media-type'
  | 'unsupported-content-encoding'
  | 'invalid-parameters'
  | 'unfitting-cursor'
  | 'several-franchises'
  | 'idempotency-key-reused'
  | 'number-out-of-range'
  | 'too-many-requests'
  | 'internal-error'
  | 'unavailable'
  | 'gateway-timeout'
  | 'request-refused'
  | 'service-failure'
  | 'headers-too-large';

/** The filters of a list of transactions. */
export type FilterName =
  | 'filter[uuid]'
  | 'filter[status]'
  | 'filter[identifiers][ndstockid]'
  | 'filter[identifiers][salesmasterid]';

/** How many transactions or events a page holds at most. */
export const largestPerPage = 50;

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description RFC 6749, section 4.4.2. Without `scope` the token has all that the client may have. */
    readonly TokenRequest: {
      /**
       * @description Always `client_credentials`: you ask in your own name.
       * @constant
       */
      readonly grant_type: 'client_credentials';
      /** @description OAuth scopes with a space between them: nop2/read, nop2/write, nop2/webhook. */
      readonly scope?: string;
      /** @description Only where the client does not authenticate by `Authorization: Basic`. */
      readonly client_id?: string;
      /** @description The client secret. Send it with `client_id`, or neither. */
      readonly client_secret?: string;
    } & {
      readonly [key: string]: string;
    };
    /** @description A token of the client (RFC 7662, RFC 7009). */
    readonly TokenToJudge: {
      /** @description The access token that the request is about. */
      readonly token: string;
      /** @description Not looked at: there is one type of token. */
      readonly token_type_hint?: string;
      /** @description Only where the client does not authenticate by `Authorization: Basic`. */
      readonly client_id?: string;
      /** @description The client secret. Send it with `client_id`, or neither. */
      readonly client_secret?: string;
    } & {
      readonly [key: string]: string;
    };
    /** @description How long the present secret works on. Authenticate by `Authorization: Basic`. */
    readonly SecretRequest: {
      /** @description How many hours the present secret works on: a whole number from 1 to 168, 24 if absent or empty. */
      readonly overlap_hours?: string;
    } & {
      readonly [key: string]: string;
    };
    /** @description What is written to a transaction. Members that are absent stay as they are; an element that is null is removed. Any other member is refused by name. */
    readonly TransactionChange: {
      /** @description The location that it moves to, of a registered storefront; a partner moves within its grants. */
      readonly location?: string;
      /** @description The franchise at that location, where it has several. */
      readonly franchise?: string;
      /**
       * @description 1 deletes it: reads do not find it any more, and partners are notified.
       * @constant
       */
      readonly isDeleted?: 1;
      /** @description What adjusts the price: a payment, a price rule. */
      readonly priceAdjustment?: {
        /** @description Whether a payment adjusts the price. */
        readonly payment?: boolean;
        /** @description Whether a rule of the shop adjusts the price. */
        readonly priceRule?: boolean;
      };
      /**
       * @description A flag that the checkout sets: 0 or 1. What it means to partners is not specified.
       * @enum {integer}
       */
      readonly externalRedirect?: 0 | 1;
      /** @description A flag that the checkout sets: true or false. What it means to partners is not specified. */
      readonly incentive?: boolean;
      /** @description Id of a document that belongs to the transaction. Null where there is none. */
      readonly document_id?: string | null;
      /** @description The name of a payment method: `finance`. Empty where none is chosen. */
      readonly preselectedPaymentMethod?: string;
      /** @description Address of the page that the buyer came from. Empty where none is known. */
      readonly referrerUrl?: string;
      /** @description The email address of a buyer who has not signed in. Null where none was entered. */
      readonly guestEmail?: string | null;
      /** @description The vehicle that is being bought. Null removes it. */
      readonly vehicle?: components['schemas']['Vehicle'] | null;
      /** @description What is bought beside the vehicle. Null removes it. */
      readonly extras?: components['schemas']['Extras'] | null;
      /** @description How and when the buyer gets the vehicle: delivery or collection. Null removes it. */
      readonly deliveryCollection?: components['schemas']['DeliveryCollectionChange'] | null;
      /** @description How the buyer wants to pay. Null removes it. */
      readonly selectedPaymentMethod?: components['schemas']['SelectedPaymentMethod'] | null;
      /** @description The finance that the buyer asks for. Null removes it. */
      readonly financeProposal?: components['schemas']['FinanceProposal'] | null;
      /** @description What the shop offers for the buyer's own vehicle. Null removes it. */
      readonly valuation?: components['schemas']['Valuation'] | null;
      /** @description The person who buys: name, contact, address. Null removes it. */
      readonly customer?: components['schemas']['Customer'] | null;
      /** @description What a finance calculation begins with. Null removes it. */
      readonly financeDefaults?: components['schemas']['FinanceDefaults'] | null;
    };
    /** @description The vehicle that is being bought. `identifiers.ndstockid` and `identifiers.salesmasterid` feed the filters of lists. Members beyond these are kept as they were written. */
    readonly Vehicle: {
      /** @description What the vehicle is known by, here and elsewhere. */
      readonly identifiers?:
        | ({
            /** @description Stock id of the vehicle. `filter[identifiers][ndstockid]` finds its transactions. */
            readonly ndstockid?: string | null;
            /** @description Id of the vehicle in an external system. `filter[identifiers][salesmasterid]` finds its transactions. */
            readonly salesmasterid?: string | null;
            /** @description The number plate; null for a vehicle that was never registered. */
            readonly registration?: string | null;
            /** @description Vehicle identification number, as stamped into the chassis. */
            readonly vin?: string | null;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
      /** @description Who builds it: `BMW`. */
      readonly make?: string | null;
      /** @description The model, without its version: `3 Series`. */
      readonly model?: string | null;
      /** @description The exact version of the model: `320i M Sport 4dr Step Auto`. */
      readonly derivative?: string | null;
      /** @description The shape of the vehicle: `Saloon`, `Hatchback`. */
      readonly body?: string | null;
      /** @description What it runs on: `Petrol`, `Electric`. */
      readonly fuel?: string | null;
      /** @description How its gears are changed: `Automatic`, `Manual`. */
      readonly transmission?: string | null;
      /** @description The colour in the words of the maker: `Atlantic Blue`. */
      readonly colour?: string | null;
      /** @description How many doors it has, as the trade counts them. */
      readonly doors?: number | null;
      /** @description Whether it was owned before: `new`, `used`. Other words are possible. */
      readonly condition?: string | null;
      /** @description How many miles it has run. A number, or a decimal number as text. */
      readonly mileage?: (number | string) | null;
      /** @description What the shop asks for it. A number, or a decimal number as text: `"41395.00"`. */
      readonly price?: (number | string) | null;
      /** @description Whether a business that buys it may reclaim the value added tax. */
      readonly isVatQualifying?: boolean | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description What is bought beside the vehicle: a list of extras, or an object of the checkout's own making. Members beyond these are kept as they were written. */
    readonly Extras:
      | readonly ({
          /** @description What is bought, as the buyer read it: `Paint protection`. */
          readonly name?: string | null;
          /** @description What sort of extra it is, in the words of the shop: `protection`. */
          readonly category?: string | null;
          /** @description What one of them costs. A number, or a decimal number as text: `"399.00"`. */
          readonly price?: (number | string) | null;
          /** @description How many of them are bought. */
          readonly quantity?: number | null;
        } & {
          readonly [key: string]: unknown;
        })[]
      | {
          readonly [key: string]: unknown;
        };
    /** @description Delivery or collection in a request, with any of its members, each of which may be null. */
    readonly DeliveryCollectionChange: {
      /** @description 1 marks the method that the shop offers by default, 0 any other. */
      readonly is_default?: (0 | 1) | null;
      /** @description 1 = the shop offers the method, 0 = it does not. */
      readonly is_live?: (0 | 1) | null;
      /** @description How long the method takes to prepare, as a whole number. The unit is not specified. */
      readonly lead_time?: number | null;
      /** @description How the buyer gets the vehicle, in the words of the shop: `Home delivery`. */
      readonly method?: string | null;
      /** @description Where the method stands in the list of those that the shop offers. */
      readonly order?: number | null;
      /** @description What the buyer pays for it, as text with two decimals: `"99.00"`. */
      readonly price?: string | null;
      /** @description 40 hexadecimal characters. What they are made of is not specified. */
      readonly hash?: string | null;
      /** @description The day that the buyer asked for: `YYYY-MM-DD`. */
      readonly preferred_date?: string | null;
      /** @description The day that the vehicle is handed over: `YYYY-MM-DD`. */
      readonly delivery_date?: string | null;
      /** @description How far it is, in the words of the shop: `booked`. There is no fixed list of values. */
      readonly delivery_status?: string | null;
      /** @description The first day that the buyer may choose: `YYYY-MM-DD`. */
      readonly minDate?: string | null;
      /** @description The last day that the buyer may choose: `YYYY-MM-DD`. */
      readonly maxDate?: string | null;
      /** @description The kind of delivery, as a whole number. What each number means is not specified. */
      readonly type?: number | null;
      /** @description What distances or amounts of it are counted in: `miles`. Any JSON value; its form is not specified. */
      readonly units?: unknown;
      /** @description The price before it was adjusted, as decimal text: `"99.00"`. */
      readonly originalPrice?: string | null;
    };
    /** @description How the buyer wants to pay. Members beyond these are kept as they were written. */
    readonly SelectedPaymentMethod: {
      /** @description The payment method that the buyer chose, by the name that programs use: `finance`. */
      readonly name?: string | null;
      /** @description The same for people: `Personal contract purchase`. */
      readonly label?: string | null;
      /** @description The finance product, where it is one: `PCP`. */
      readonly product?: string | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description The finance that the buyer asks for. Members beyond these are kept as they were written. */
    readonly FinanceProposal: {
      /** @description The kind of agreement: `PCP`, `HP`. */
      readonly product?: string | null;
      /** @description The lender that was asked: `Sample Bank`. */
      readonly provider?: string | null;
      /** @description How far the proposal is, in the words of the shop: `quoted`. There is no fixed list of values. */
      readonly status?: string | null;
      /** @description What the vehicle costs without finance. A number, or a decimal number as text. */
      readonly cashPrice?: (number | string) | null;
      /** @description What the buyer pays at the start. A number, or a decimal number as text. */
      readonly deposit?: (number | string) | null;
      /** @description What is taken off for the buyer's own vehicle. A number, or a decimal number as text. */
      readonly partExchange?: (number | string) | null;
      /** @description What the buyer borrows: the cash price less deposit and part exchange. A number, or a decimal number as text. */
      readonly amountOfCredit?: (number | string) | null;
      /** @description How long the agreement runs, in months. */
      readonly term?: number | null;
      /** @description Annual percentage rate of charge, in per cent. A number, or a decimal number as text: `"6.9"`. */
      readonly apr?: (number | string) | null;
      /** @description What the buyer pays each month. A number, or a decimal number as text. */
      readonly monthlyPayment?: (number | string) | null;
      /** @description What is due at the end to keep the vehicle. A number, or a decimal number as text. */
      readonly finalPayment?: (number | string) | null;
      /** @description How many miles a year the agreement allows. A number, or a decimal number as text. */
      readonly annualMileage?: (number | string) | null;
      /** @description What each mile above that costs. A number, or a decimal number as text. */
      readonly excessMileageCharge?: (number | string) | null;
      /** @description What it costs to become the owner at the end. A number, or a decimal number as text. */
      readonly optionToPurchaseFee?: (number | string) | null;
      /** @description All that the buyer pays, deposit and fees included. A number, or a decimal number as text. */
      readonly totalPayable?: (number | string) | null;
      /** @description What the credit costs: interest and fees. A number, or a decimal number as text. */
      readonly totalChargeForCredit?: (number | string) | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description What the shop offers for the buyer's own vehicle. Members beyond these are kept as they were written. */
    readonly Valuation: {
      /** @description The number plate of the buyer's own vehicle. */
      readonly registration?: string | null;
      /** @description How many miles that vehicle has run. A number, or a decimal number as text. */
      readonly mileage?: (number | string) | null;
      /** @description The state of that vehicle, in the words of the shop: `good`. */
      readonly condition?: string | null;
      /** @description What the shop offers for it. A number, or a decimal number as text. */
      readonly value?: (number | string) | null;
      /** @description What the buyer still owes on it. A number, or a decimal number as text. */
      readonly outstandingFinance?: (number | string) | null;
      /** @description The offer less what is still owed; below zero where more is owed. A number, or a decimal number as text. */
      readonly equity?: (number | string) | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description The person who buys: name, contact, address. Members beyond these are kept as they were written. */
    readonly Customer: {
      /** @description How the buyer is addressed: `Mx`, `Dr`. */
      readonly title?: string | null;
      /** @description The given name of the buyer. */
      readonly firstName?: string | null;
      /** @description The family name of the buyer. */
      readonly lastName?: string | null;
      /** @description The email address of the buyer, as entered in the checkout. */
      readonly email?: string | null;
      /** @description The mobile telephone number of the buyer, as it was entered: `07700 900185`. */
      readonly mobile?: string | null;
      /** @description The fixed telephone number of the buyer, as it was entered: `01632 960965`. */
      readonly landline?: string | null;
      /** @description The postal address of the buyer. */
      readonly address?:
        | ({
            /** @description First line of the address: house and street. */
            readonly line1?: string | null;
            /** @description Second line of the address, where there is one. */
            readonly line2?: string | null;
            /** @description Town or city of the address. */
            readonly town?: string | null;
            /** @description County of the address, where one was entered. */
            readonly county?: string | null;
            /** @description Postcode of the address: `XX8 4ZZ`. */
            readonly postcode?: string | null;
            /** @description Country of the address: `GB`. */
            readonly country?: string | null;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
      /** @description The ways in which the buyer agreed to be sent advertising. */
      readonly marketing?:
        | ({
            /** @description Whether the buyer agreed to advertising by email. */
            readonly email?: boolean | null;
            /** @description Whether the buyer agreed to advertising by text message. */
            readonly sms?: boolean | null;
            /** @description Whether the buyer agreed to advertising by letter. */
            readonly post?: boolean | null;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description What a finance calculation begins with. Members beyond these are kept as they were written. */
    readonly FinanceDefaults: {
      /** @description The kind of agreement that is offered first: `PCP`. */
      readonly product?: string | null;
      /** @description The deposit as a share of the price, in per cent. A number, or a decimal number as text. */
      readonly depositPercent?: (number | string) | null;
      /** @description How long an agreement runs unless the buyer chooses otherwise, in months. */
      readonly term?: number | null;
      /** @description How many miles a year are assumed. A number, or a decimal number as text. */
      readonly annualMileage?: (number | string) | null;
      /** @description The annual percentage rate that is assumed, in per cent. A number, or a decimal number as text: `"9.9"`. */
      readonly apr?: (number | string) | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description A payment to record. The service writes the other members of the record; a body that has one of them is refused. */
    readonly NewPayment: {
      /** @description The uuid of the transaction that was paid for. */
      readonly transaction: string;
      /**
       * Format: int64
       * @description The kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.
       */
      readonly type: number;
      /** @description The amount, with two decimals: `"199.00"`. */
      readonly value: string;
      /**
       * @description Values seen: 0, 1. With 1 the payment completes an incomplete transaction, with 0 it does not. What else they mean is not specified.
       * @enum {integer}
       */
      readonly status: 0 | 1;
      /** @description Free text by which you find the payment again, usually your own id of it. */
      readonly reference?: string | null;
      /** @description What was paid for. Value seen: `PAY`, which stands if you send none. */
      readonly product_identifier?: string | null;
      /** @description Free text: what the payment provider said about it. */
      readonly message?: string | null;
      /** @description Payment-method token from a card processor. It is shown only to partners that may see it. */
      readonly token?: string | null;
      /** @description Settings of the payment. Any JSON value; its form is not specified. */
      readonly settings?: unknown;
      /** @description For card payments an object with `type`, `brand`, `method`, `funding`; for others a text. */
      readonly details?:
        | (
            | string
            | {
                readonly [key: string]: unknown;
              }
          )
        | null;
      /** @description Number of the payment gateway that was used. Which number stands for which gateway is not specified. */
      readonly gateway_id?: number | null;
      /** @description References of the payment provider. Any JSON value; its form is not specified. */
      readonly provider_references?: unknown;
    };
    /** @description What to send again: everything since a time, narrowed as a list of events is. */
    readonly NewReplay: {
      /**
       * Format: date-time
       * @description Send events that were created at this time in UTC or later: `2026-11-22T12:00:00Z`.
       */
      readonly since: string;
      /**
       * @description Send only events of this type.
       * @enum {string}
       */
      readonly type?: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /**
       * @description Send only events in this state: `failed` is what your endpoint did not take.
       * @enum {string}
       */
      readonly state?: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      /** @description Send only events of the transaction with this uuid. */
      readonly transaction?: string;
      /** @description From `next` of the answer before. Do not make one yourself, send `next` as it is. */
      readonly after?: string;
    };
    /** @description The address of a webhook. */
    readonly WebhookAddress: {
      /**
       * Format: uri
       * @description Where your events go: `https`, and a host that the internet knows by name.
       */
      readonly url: string;
    };
    /** @description A change of a webhook: one member at least. */
    readonly WebhookChange: {
      /** @description Whether events are kept instead of sent. */
      readonly paused?: boolean;
      /**
       * @description `next`: the announced value counts from now on, and the former one is forgotten.
       * @constant
       */
      readonly signature?: 'next';
    };
    /** @description What a new transaction is given. Any other member is refused by name. */
    readonly NewTransaction: {
      /** @description The location that it is for, of a storefront registered for the request’s `Origin`. */
      readonly location?: string;
      /** @description The franchise at that location, where it has several. */
      readonly franchise?: string;
      /** @description What adjusts the price: a payment, a price rule. */
      readonly priceAdjustment?: {
        /** @description Whether a payment adjusts the price. */
        readonly payment?: boolean;
        /** @description Whether a rule of the shop adjusts the price. */
        readonly priceRule?: boolean;
      };
      /**
       * @description A flag that the checkout sets: 0 or 1. What it means to partners is not specified.
       * @enum {integer}
       */
      readonly externalRedirect?: 0 | 1;
      /** @description A flag that the checkout sets: true or false. What it means to partners is not specified. */
      readonly incentive?: boolean;
      /** @description Id of a document that belongs to the transaction. Null where there is none. */
      readonly document_id?: string | null;
      /** @description The name of a payment method: `finance`. Empty where none is chosen. */
      readonly preselectedPaymentMethod?: string;
      /** @description Address of the page that the buyer came from. Empty where none is known. */
      readonly referrerUrl?: string;
      /** @description The email address of a buyer who has not signed in. Null where none was entered. */
      readonly guestEmail?: string | null;
      /** @description The vehicle that is being bought. Null removes it. */
      readonly vehicle?: components['schemas']['Vehicle'] | null;
      /** @description What is bought beside the vehicle. Null removes it. */
      readonly extras?: components['schemas']['Extras'] | null;
      /** @description How and when the buyer gets the vehicle: delivery or collection. Null removes it. */
      readonly deliveryCollection?: components['schemas']['DeliveryCollectionChange'] | null;
      /** @description How the buyer wants to pay. Null removes it. */
      readonly selectedPaymentMethod?: components['schemas']['SelectedPaymentMethod'] | null;
      /** @description The finance that the buyer asks for. Null removes it. */
      readonly financeProposal?: components['schemas']['FinanceProposal'] | null;
      /** @description What the shop offers for the buyer's own vehicle. Null removes it. */
      readonly valuation?: components['schemas']['Valuation'] | null;
      /** @description The person who buys: name, contact, address. Null removes it. */
      readonly customer?: components['schemas']['Customer'] | null;
      /** @description What a finance calculation begins with. Null removes it. */
      readonly financeDefaults?: components['schemas']['FinanceDefaults'] | null;
    };
    /** @description A sign-in, as a token exchange of RFC 8693. */
    readonly TokenExchange: {
      /**
       * @description Always this name: one token is exchanged for another.
       * @constant
       */
      readonly grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange';
      /** @description The ID token of the signed-in user, from the identity provider of your storefront; at most 10 minutes old. */
      readonly subject_token: string;
      /**
       * @description Always this name: `subject_token` is an ID token.
       * @constant
       */
      readonly subject_token_type: 'urn:ietf:params:oauth:token-type:id_token';
      /** @description The token of the anonymous session that the user continues. It ends with this request. */
      readonly actor_token?: string;
      /**
       * @description Send it with `actor_token`: it is an access token.
       * @constant
       */
      readonly actor_token_type?: 'urn:ietf:params:oauth:token-type:access_token';
      /**
       * @description Which token you want. There is this type alone.
       * @constant
       */
      readonly requested_token_type?: 'urn:ietf:params:oauth:token-type:access_token';
    } & {
      readonly [key: string]: string;
    };
    /**
     * TransactionUpdated
     * @description Some property of the transaction changed; sent when it has not been updated for two minutes.
     */
    readonly TransactionUpdatedMessage: {
      /** @description It means nothing to partners. Disregard it. */
      readonly version: string;
      /**
       * Format: uuid
       * @description Id of the event. A copy has the same id: use it to drop what you have already.
       */
      readonly id: string;
      /**
       * @description What happened. Let a type that you do not know pass with 2xx.
       * @constant
       */
      readonly 'detail-type': 'TransactionUpdated';
      /** @description The stage that sent it: `svc.production.online-payments`, `svc.staging.online-payments`. Check it, so that you never mix stages. */
      readonly source: string;
      /** @description It means nothing to partners. Disregard it. */
      readonly account: string;
      /** @description Time the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description It means nothing to partners. Disregard it. */
      readonly region: string;
      /** @description Always empty. Disregard it. */
      readonly resources: readonly unknown[];
      /** @description The transaction, with the elements of it that changed. */
      readonly detail:
        | components['schemas']['TransactionUpdatedDetail']
        | components['schemas']['TransactionDeletedDetail'];
    };
    /** @description ndMeta, uuid and status, and the elements of the transaction that changed. */
    readonly TransactionUpdatedDetail: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description 0 = incomplete, 1 = complete: a payment completed it.
       * @enum {integer}
       */
      readonly status: 0 | 1;
      /** @description Who owns the transaction: group, franchise and location. */
      readonly ndMeta: components['schemas']['NdMeta'];
      /** @description The vehicle that is being bought. */
      readonly vehicle?: components['schemas']['Vehicle'] | null;
      /** @description What is bought beside the vehicle. */
      readonly extras?: components['schemas']['Extras'] | null;
      /** @description How and when the buyer gets the vehicle: delivery or collection. */
      readonly deliveryCollection?: components['schemas']['DeliveryCollection'] | null;
      /** @description The finance that the buyer asks for. */
      readonly financeProposal?: components['schemas']['FinanceProposal'] | null;
      /** @description What the shop offers for the buyer's own vehicle. */
      readonly valuation?: components['schemas']['Valuation'] | null;
      /** @description The person who buys: name, contact, address. */
      readonly customer?: components['schemas']['Customer'] | null;
      /** @description All payment records of the transaction. */
      readonly payments?: readonly components['schemas']['PaymentRecord'][];
    };
    /** @description Who owns the transaction: one registered storefront of the estate. */
    readonly NdMeta: {
      /** @description The dealer group that owns the transaction, as an opaque hash: compare it, and read nothing into it. */
      readonly group: string;
      /** @description The franchise within the group, as an opaque hash. */
      readonly franchise: string;
      /** @description The name of the branch, for people: `Meridian Bristol`. */
      readonly branch: string;
      /** @description The location of the branch, as an opaque hash. A partner may be granted single locations. */
      readonly location: string;
      /** @description The software of the group, as an opaque hash; empty where none is known. */
      readonly groupSoftware: string;
    };
    /** @description Delivery or collection, with every member; what is not known is null. */
    readonly DeliveryCollection: {
      /** @description 1 marks the method that the shop offers by default, 0 any other. */
      readonly is_default: (0 | 1) | null;
      /** @description 1 = the shop offers the method, 0 = it does not. */
      readonly is_live: (0 | 1) | null;
      /** @description How long the method takes to prepare, as a whole number. The unit is not specified. */
      readonly lead_time: number | null;
      /** @description How the buyer gets the vehicle, in the words of the shop: `Home delivery`. */
      readonly method: string | null;
      /** @description Where the method stands in the list of those that the shop offers. */
      readonly order: number | null;
      /** @description What the buyer pays for it, as text with two decimals: `"99.00"`. */
      readonly price: string | null;
      /** @description 40 hexadecimal characters. What they are made of is not specified. */
      readonly hash: string | null;
      /** @description The day that the buyer asked for: `YYYY-MM-DD`. */
      readonly preferred_date: string | null;
      /** @description The day that the vehicle is handed over: `YYYY-MM-DD`. */
      readonly delivery_date: string | null;
      /** @description How far it is, in the words of the shop: `booked`. There is no fixed list of values. */
      readonly delivery_status: string | null;
      /** @description The first day that the buyer may choose: `YYYY-MM-DD`. */
      readonly minDate: string | null;
      /** @description The last day that the buyer may choose: `YYYY-MM-DD`. */
      readonly maxDate: string | null;
      /** @description The kind of delivery, as a whole number. What each number means is not specified. */
      readonly type: number | null;
      /** @description What distances or amounts of it are counted in: `miles`. Any JSON value; its form is not specified. */
      readonly units: unknown;
      /** @description The price before it was adjusted, as decimal text: `"99.00"`. */
      readonly originalPrice: string | null;
    };
    /** @description A payment, with every member; what is not known is null. */
    readonly PaymentRecord: {
      /**
       * Format: int64
       * @description The number of this payment. It is never given to another.
       */
      readonly id: number;
      /**
       * Format: int64
       * @description The numeric id of the owning transaction. Addresses and filters take its `uuid` instead.
       */
      readonly transaction_id: number;
      /** @description 40 hexadecimal characters that the record was given when it was made. */
      readonly hash: string;
      /** @description Payment-method token from a card processor. Null where there is none, and for partners that may not see it. */
      readonly token: string | null;
      /** @description Free text of whoever recorded the payment, usually its id there; `No reference given` where there is none. */
      readonly reference: string;
      /** @description References of the payment provider. Any JSON value; its form is not specified. */
      readonly provider_references: unknown;
      /**
       * Format: int64
       * @description The kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.
       */
      readonly type: number;
      /** @description What was paid for. Value seen: `PAY`. */
      readonly product_identifier: string;
      /** @description How much was paid, as decimal text with two decimals: `"99.00"`. It names no currency. */
      readonly value: string;
      /**
       * @description Values seen: 0, 1. What each of them means is not specified; a payment that is recorded with 1 completes an incomplete transaction.
       * @enum {integer}
       */
      readonly status: 0 | 1;
      /** @description What the provider said about it: `Insufficient funds`. Null where it said nothing. */
      readonly message: string | null;
      /** @description 1 marks the selected payment of the transaction. */
      readonly is_selected: number | null;
      /** @description Settings of the payment. Any JSON value; its form is not specified. */
      readonly settings: unknown;
      /** @description For card payments an object with `type`, `brand`, `method`, `funding`; for other payments a descriptive text: `Bank transfer`. */
      readonly details:
        | (
            | string
            | {
                readonly [key: string]: unknown;
              }
          )
        | null;
      /** @description When this payment completed the transaction, in UTC: `YYYY-MM-DD HH:MM:SS`. Null where it did not. */
      readonly transaction_completed_at: string | null;
      /**
       * Format: int64
       * @description When the record was made: Unix timestamp, seconds.
       */
      readonly created_at: number;
      /** @description Name of the operation that made the record, as `<version>/<resource>/<action>`: `v2/payment/create`. */
      readonly created_by: string;
      /**
       * Format: int64
       * @description When the record was last changed: Unix timestamp, seconds.
       */
      readonly updated_at: number;
      /** @description Name of the operation that last changed the record, in the form of `created_by`. */
      readonly updated_by: string;
      /** @description Number of the payment gateway that was used. Which number stands for which gateway is not specified. */
      readonly gateway_id: number | null;
    };
    /** @description ndMeta, uuid and status of a transaction that is deleted; no element, whatever else changed. */
    readonly TransactionDeletedDetail: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description 0 = incomplete, 1 = complete: a payment completed it.
       * @enum {integer}
       */
      readonly status: 0 | 1;
      /** @description Who owns the transaction: group, franchise and location. */
      readonly ndMeta: components['schemas']['NdMeta'];
      /**
       * @description Always 1: the transaction is deleted, and reads do not find it any more.
       * @constant
       */
      readonly isDeleted: 1;
    };
    /**
     * TransactionCompleted
     * @description A payment moved the transaction to complete; sent at once.
     */
    readonly TransactionCompletedMessage: {
      /** @description It means nothing to partners. Disregard it. */
      readonly version: string;
      /**
       * Format: uuid
       * @description Id of the event. A copy has the same id: use it to drop what you have already.
       */
      readonly id: string;
      /**
       * @description What happened. Let a type that you do not know pass with 2xx.
       * @constant
       */
      readonly 'detail-type': 'TransactionCompleted';
      /** @description The stage that sent it: `svc.production.online-payments`, `svc.staging.online-payments`. Check it, so that you never mix stages. */
      readonly source: string;
      /** @description It means nothing to partners. Disregard it. */
      readonly account: string;
      /** @description Time the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description It means nothing to partners. Disregard it. */
      readonly region: string;
      /** @description Always empty. Disregard it. */
      readonly resources: readonly unknown[];
      /** @description The transaction that is complete now, with its payments. */
      readonly detail: components['schemas']['TransactionCompletedDetail'];
    };
    /** @description ndMeta, uuid and status, and the payments. */
    readonly TransactionCompletedDetail: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description Always 1: the transaction is complete.
       * @constant
       */
      readonly status: 1;
      /** @description Who owns the transaction: group, franchise and location. */
      readonly ndMeta: components['schemas']['NdMeta'];
      /** @description All payment records of the transaction. */
      readonly payments?: readonly {
        /**
         * Format: int64
         * @description The number of this payment. It is never given to another.
         */
        readonly id: number;
        /**
         * Format: int64
         * @description The numeric id of the owning transaction. Addresses and filters take its `uuid` instead.
         */
        readonly transaction_id: number;
        /** @description 40 hexadecimal characters that the record was given when it was made. */
        readonly hash: string;
        /** @description Payment-method token from a card processor. Null where there is none, and for partners that may not see it. */
        readonly token: string | null;
        /** @description Free text of whoever recorded the payment, usually its id there; `No reference given` where there is none. */
        readonly reference: string;
        /** @description References of the payment provider. Any JSON value; its form is not specified. */
        readonly provider_references: unknown;
        /**
         * Format: int64
         * @description The kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.
         */
        readonly type: number;
        /** @description What was paid for. Value seen: `PAY`. */
        readonly product_identifier: string;
        /** @description How much was paid, as decimal text with two decimals: `"99.00"`. It names no currency. */
        readonly value: string;
        /**
         * @description Values seen: 0, 1. What each of them means is not specified; a payment that is recorded with 1 completes an incomplete transaction.
         * @enum {integer}
         */
        readonly status: 0 | 1;
        /** @description What the provider said about it: `Insufficient funds`. Null where it said nothing. */
        readonly message: string | null;
        /** @description 1 marks the selected payment of the transaction. */
        readonly is_selected: number | null;
        /** @description Settings of the payment. Any JSON value; its form is not specified. */
        readonly settings: unknown;
        /** @description For card payments an object with `type`, `brand`, `method`, `funding`; for other payments a descriptive text: `Bank transfer`. */
        readonly details:
          | (
              | string
              | {
                  readonly [key: string]: unknown;
                }
            )
          | null;
        /** @description When this payment completed the transaction, in UTC: `YYYY-MM-DD HH:MM:SS`. Null where it did not. */
        readonly transaction_completed_at: string | null;
        /**
         * Format: int64
         * @description When the record was made: Unix timestamp, seconds.
         */
        readonly created_at: number;
        /** @description Name of the operation that made the record, as `<version>/<resource>/<action>`: `v2/payment/create`. */
        readonly created_by: string;
        /**
         * Format: int64
         * @description When the record was last changed: Unix timestamp, seconds.
         */
        readonly updated_at: number;
        /** @description Name of the operation that last changed the record, in the form of `created_by`. */
        readonly updated_by: string;
        /** @description Number of the payment gateway that was used. Which number stands for which gateway is not specified. */
        readonly gateway_id: number | null;
      }[];
    };
    /**
     * WebhookTest
     * @description Has no transaction: asks whether the endpoint takes messages with the right signature alone.
     */
    readonly WebhookTestMessage: {
      /** @description It means nothing to partners. Disregard it. */
      readonly version: string;
      /**
       * Format: uuid
       * @description Id of the event. A copy has the same id: use it to drop what you have already.
       */
      readonly id: string;
      /**
       * @description What happened. Let a type that you do not know pass with 2xx.
       * @constant
       */
      readonly 'detail-type': 'WebhookTest';
      /** @description The stage that sent it: `svc.production.online-payments`, `svc.staging.online-payments`. Check it, so that you never mix stages. */
      readonly source: string;
      /** @description It means nothing to partners. Disregard it. */
      readonly account: string;
      /** @description Time the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description It means nothing to partners. Disregard it. */
      readonly region: string;
      /** @description Always empty. Disregard it. */
      readonly resources: readonly unknown[];
      /** @description Always empty: a test is about no transaction. */
      readonly detail: Record<string, never>;
    };
    /** @description A refusal or a fault: the members of RFC 9457, and those that clients of the service know. */
    readonly Problem: {
      /** @description Address of the paragraph that explains the problem; what stands after `#` is its name at every stage. */
      readonly type: string;
      /** @description The reason phrase of the status. */
      readonly title: string;
      /**
       * Format: int64
       * @description The status again; absent where only the gateway knows it.
       */
      readonly status?: number;
      /** @description What happened, in a sentence. */
      readonly detail: string;
      /** @description The path of the request, or an id of it as a URN. */
      readonly instance: string;
      /** @description The same text as `title`, for older clients. */
      readonly name: string;
      /** @description The same text as `detail`, for older clients. */
      readonly message: string;
      /**
       * @description Always 0. Older clients expect the member.
       * @constant
       */
      readonly code: 0;
      /** @description Quote it when you report the problem; it is `Request-Id` as well. */
      readonly requestId: string;
      /** @description Each parameter, member or header at fault, wherever there is one: with 422 always. */
      readonly errors?: readonly components['schemas']['FieldError'][];
    };
    /** @description One refused parameter or member. */
    readonly FieldError: {
      /** @description The parameter, member or header as the caller wrote it: `filter[nope]`, `payments.0.value`. */
      readonly field: string;
      /** @description What is wrong with it, in a sentence. */
      readonly message: string;
    };
    /** @description A set of links (RFC 9264) to the API and to what describes it. */
    readonly ApiCatalog: {
      /** @description One entry for the catalogue, and one for each API. */
      readonly linkset: readonly {
        /**
         * Format: uri
         * @description The address that the links are about.
         */
        readonly anchor: string;
        /** @description The addresses of the APIs that the catalogue lists. */
        readonly item?: readonly {
          /**
           * Format: uri
           * @description The address of what the link leads to.
           */
          readonly href: string;
          /** @description The media type of what stands there. */
          readonly type?: string;
        }[];
        /** @description Descriptions of the API for programs, this document among them. */
        readonly 'service-desc'?: readonly {
          /**
           * Format: uri
           * @description The address of what the link leads to.
           */
          readonly href: string;
          /** @description The media type of what stands there. */
          readonly type?: string;
        }[];
        /** @description Documentation of the API for people. */
        readonly 'service-doc'?: readonly {
          /**
           * Format: uri
           * @description The address of what the link leads to.
           */
          readonly href: string;
          /** @description The media type of what stands there. */
          readonly type?: string;
        }[];
        /** @description Metadata of OAuth: who issues tokens, and how. */
        readonly 'service-meta'?: readonly {
          /**
           * Format: uri
           * @description The address of what the link leads to.
           */
          readonly href: string;
          /** @description The media type of what stands there. */
          readonly type?: string;
        }[];
      }[];
    };
    /** @description An access token, and how long it is valid. */
    readonly TokenResponse: {
      /** @description A JWT (RFC 9068). To you it is opaque: send it as it is. */
      readonly access_token: string;
      /**
       * @description Always `Bearer`: send the token as `Authorization: Bearer …`.
       * @constant
       */
      readonly token_type: 'Bearer';
      /**
       * Format: int64
       * @description For how many seconds the token is valid. Keep it for as long, then ask for another.
       */
      readonly expires_in: number;
      /** @description The OAuth scopes of the token, with a space between them, where the request named none. */
      readonly scope?: string;
    };
    /** @description A refusal in the words of RFC 6749, section 5.2. */
    readonly OAuthError: {
      /**
       * @description The kind of refusal, by a code that programs can compare.
       * @enum {string}
       */
      readonly error:
        | 'invalid_request'
        | 'invalid_client'
        | 'unauthorized_client'
        | 'unsupported_grant_type'
        | 'invalid_grant'
        | 'invalid_scope'
        | 'temporarily_unavailable'
        | 'server_error';
      /** @description What happened, in a sentence. */
      readonly error_description: string;
    };
    /** @description Whether V2 takes the token (RFC 7662). Of any text that is no token of the client, nothing but that it is inactive. */
    readonly Introspection:
      | {
          /**
           * @description False: V2 does not take it. Nothing more is told.
           * @constant
           */
          readonly active: false;
        }
      | {
          /**
           * @description True: V2 takes the token now.
           * @constant
           */
          readonly active: true;
          /** @description OAuth scopes with a space between them: nop2/read, nop2/write, nop2/webhook. */
          readonly scope: string;
          /** @description The client that the token was issued to. */
          readonly client_id: string;
          /**
           * @description Always `Bearer`: whoever has the token may use it.
           * @constant
           */
          readonly token_type: 'Bearer';
          /**
           * Format: int64
           * @description When the token expires: Unix timestamp, seconds.
           */
          readonly exp: number;
          /**
           * Format: int64
           * @description When it was issued: Unix timestamp, seconds.
           */
          readonly iat: number;
          /** @description Whom the token speaks for: the same client. */
          readonly sub: string;
          /** @description The address of the API that the token is for. */
          readonly aud: string;
          /** @description The address of the token service that issued it. */
          readonly iss: string;
          /** @description The id of this token, for logs. No two tokens share one. */
          readonly jti: string;
        };
    /** @description That a secret was made. It is not shown again. */
    readonly RepeatedSecret: {
      /** @description Your client id. It stays the same. */
      readonly client_id: string;
      /**
       * @description Always 0, which in RFC 7591 means that the new secret does not expire.
       * @constant
       */
      readonly client_secret_expires_at: 0;
      /** @description Id of the new secret, as `GET /api/v2/partner` lists it. */
      readonly secret_id: string;
      /** @description Id of the secret that you authenticated with. */
      readonly former_secret_id: string;
      /**
       * Format: int64
       * @description When that one ends: Unix timestamp, seconds.
       */
      readonly former_secret_expires_at: number;
    };
    /** @description A second client secret. */
    readonly NewSecret: {
      /** @description Your client id. It stays the same. */
      readonly client_id: string;
      /**
       * @description Always 0, which in RFC 7591 means that the new secret does not expire.
       * @constant
       */
      readonly client_secret_expires_at: 0;
      /** @description Id of the new secret, as `GET /api/v2/partner` lists it. */
      readonly secret_id: string;
      /** @description Id of the secret that you authenticated with. */
      readonly former_secret_id: string;
      /**
       * Format: int64
       * @description When that one ends: Unix timestamp, seconds.
       */
      readonly former_secret_expires_at: number;
      /** @description The new client secret. It is shown this once: store it now. */
      readonly client_secret: string;
    };
    /** @description The public keys that verify access tokens (RFC 7517). */
    readonly KeySet: {
      /** @description Every key that may have signed a valid token. They change: read them anew for an unknown `kid`. */
      readonly keys: readonly {
        /**
         * @description The family of the key: always RSA.
         * @constant
         */
        readonly kty: 'RSA';
        /**
         * @description What the key is for: signatures.
         * @constant
         */
        readonly use: 'sig';
        /**
         * @description The algorithm of its signatures: RSA with SHA-256.
         * @constant
         */
        readonly alg: 'RS256';
        /** @description Id of the key. The header of each token names one. */
        readonly kid: string;
        /** @description The modulus of the key, in base64url. */
        readonly n: string;
        /** @description The public exponent of the key, in base64url. */
        readonly e: string;
      }[];
    };
    /** @description Metadata of the token service (RFC 8414). */
    readonly AuthorizationServer: {
      /**
       * Format: uri
       * @description The address of the token service, as `iss` in tokens has it.
       */
      readonly issuer: string;
      /**
       * Format: uri
       * @description Where a client gets access tokens.
       */
      readonly token_endpoint: string;
      /**
       * Format: uri
       * @description Where the public keys of tokens are.
       */
      readonly jwks_uri: string;
      /** @description Every OAuth scope that a token may have. */
      readonly scopes_supported: readonly ('nop2/read' | 'nop2/write' | 'nop2/webhook')[];
      /** @description Always `none`: there is no authorization endpoint. */
      readonly response_types_supported: readonly 'none'[];
      /** @description How tokens are got: by client credentials alone. */
      readonly grant_types_supported: readonly 'client_credentials'[];
      /** @description How a client may send its secret there: in `Authorization: Basic`, or in the body. */
      readonly token_endpoint_auth_methods_supported: readonly (
        | 'client_secret_basic'
        | 'client_secret_post'
      )[];
      /**
       * Format: uri
       * @description Where a client checks its tokens.
       */
      readonly introspection_endpoint: string;
      /** @description How a client may send its secret there: in `Authorization: Basic`, or in the body. */
      readonly introspection_endpoint_auth_methods_supported: readonly (
        | 'client_secret_basic'
        | 'client_secret_post'
      )[];
      /**
       * Format: uri
       * @description Where a client revokes its tokens.
       */
      readonly revocation_endpoint: string;
      /** @description How a client may send its secret there: in `Authorization: Basic`, or in the body. */
      readonly revocation_endpoint_auth_methods_supported: readonly (
        | 'client_secret_basic'
        | 'client_secret_post'
      )[];
    };
    /** @description What access tokens are for, and who issues them (RFC 9728). */
    readonly ProtectedResource: {
      /**
       * Format: uri
       * @description The address of the API that tokens open.
       */
      readonly resource: string;
      /** @description Who issues its tokens: the token service alone. */
      readonly authorization_servers: readonly string[];
      /** @description Every OAuth scope that a token may have. */
      readonly scopes_supported: readonly ('nop2/read' | 'nop2/write' | 'nop2/webhook')[];
      /** @description How a token is sent: in the header `Authorization` alone. */
      readonly bearer_methods_supported: readonly 'header'[];
    };
    /** @description One page of transactions, oldest first. */
    readonly TransactionList: {
      /**
       * @description All names that `expand` takes, joined by commas.
       * @constant
       */
      readonly _expand: 'vehicle,ndMeta,extras,deliveryCollection,selectedPaymentMethod,financeProposal,valuation,customer,payments,financeDefaults';
      /** @description The transactions of this page. */
      readonly data: readonly (
        | components['schemas']['Transaction']
        | components['schemas']['SelectedTransaction']
      )[];
      /** @description Where other pages are. */
      readonly _links: components['schemas']['ListLinks'];
      /** @description How many transactions and pages there are. */
      readonly _meta: components['schemas']['ListMeta'];
    };
    /** @description A transaction: its own properties always, and the elements that `expand` names. An element that nothing was written to is null, payments an empty list. */
    readonly Transaction: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description 0 = incomplete, 1 = complete: a payment completed it.
       * @enum {integer}
       */
      readonly status: 0 | 1;
      /** @description Whether the checkout may still change it: false from the payment on that completed it. */
      readonly editable: boolean;
      /**
       * @description 0 = it exists. 1 = it is deleted: only its last event and the answer to its deletion say so, since reads do not find it any more.
       * @enum {integer}
       */
      readonly isDeleted: 0 | 1;
      /** @description What adjusts the price: a payment, a price rule. */
      readonly priceAdjustment: {
        /** @description Whether a payment adjusts the price. */
        readonly payment: boolean;
        /** @description Whether a rule of the shop adjusts the price. */
        readonly priceRule: boolean;
      };
      /**
       * @description A flag that the checkout sets: 0 or 1. What it means to partners is not specified.
       * @enum {integer}
       */
      readonly externalRedirect: 0 | 1;
      /** @description A flag that the checkout sets: true or false. What it means to partners is not specified. */
      readonly incentive: boolean;
      /** @description Id of a document that belongs to the transaction. Null where there is none. */
      readonly document_id: string | null;
      /** @description The name of a payment method: `finance`. Empty where none is chosen. */
      readonly preselectedPaymentMethod: string;
      /** @description Address of the page that the buyer came from. Empty where none is known. */
      readonly referrerUrl: string;
      /** @description The email address of a buyer who has not signed in. Null where none was entered. */
      readonly guestEmail: string | null;
      /** @description The vehicle that is being bought. */
      readonly vehicle?: components['schemas']['Vehicle'] | null;
      /** @description Who owns the transaction: group, franchise and location. */
      readonly ndMeta?: components['schemas']['NdMeta'];
      /** @description What is bought beside the vehicle. */
      readonly extras?: components['schemas']['Extras'] | null;
      /** @description How and when the buyer gets the vehicle: delivery or collection. */
      readonly deliveryCollection?: components['schemas']['DeliveryCollection'] | null;
      /** @description How the buyer wants to pay. */
      readonly selectedPaymentMethod?: components['schemas']['SelectedPaymentMethod'] | null;
      /** @description The finance that the buyer asks for. */
      readonly financeProposal?: components['schemas']['FinanceProposal'] | null;
      /** @description What the shop offers for the buyer's own vehicle. */
      readonly valuation?: components['schemas']['Valuation'] | null;
      /** @description The person who buys: name, contact, address. */
      readonly customer?: components['schemas']['Customer'] | null;
      /** @description All payment records of the transaction. */
      readonly payments?: readonly components['schemas']['PaymentRecord'][];
      /** @description What a finance calculation begins with. */
      readonly financeDefaults?: components['schemas']['FinanceDefaults'] | null;
    };
    /** @description A transaction narrowed by `fields`: members that were not asked for are absent. */
    readonly SelectedTransaction: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid?: string;
      /**
       * @description 0 = incomplete, 1 = complete: a payment completed it.
       * @enum {integer}
       */
      readonly status?: 0 | 1;
      /** @description Whether the checkout may still change it: false from the payment on that completed it. */
      readonly editable?: boolean;
      /**
       * @description 0 = it exists. 1 = it is deleted: only its last event and the answer to its deletion say so, since reads do not find it any more.
       * @enum {integer}
       */
      readonly isDeleted?: 0 | 1;
      /** @description What adjusts the price: a payment, a price rule. */
      readonly priceAdjustment?: {
        /** @description Whether a payment adjusts the price. */
        readonly payment?: boolean;
        /** @description Whether a rule of the shop adjusts the price. */
        readonly priceRule?: boolean;
      };
      /**
       * @description A flag that the checkout sets: 0 or 1. What it means to partners is not specified.
       * @enum {integer}
       */
      readonly externalRedirect?: 0 | 1;
      /** @description A flag that the checkout sets: true or false. What it means to partners is not specified. */
      readonly incentive?: boolean;
      /** @description Id of a document that belongs to the transaction. Null where there is none. */
      readonly document_id?: string | null;
      /** @description The name of a payment method: `finance`. Empty where none is chosen. */
      readonly preselectedPaymentMethod?: string;
      /** @description Address of the page that the buyer came from. Empty where none is known. */
      readonly referrerUrl?: string;
      /** @description The email address of a buyer who has not signed in. Null where none was entered. */
      readonly guestEmail?: string | null;
      /** @description The vehicle that is being bought. */
      readonly vehicle?: components['schemas']['Vehicle'] | null;
      /** @description Who owns the transaction: group, franchise and location. */
      readonly ndMeta?: components['schemas']['SelectedNdMeta'];
      /** @description What is bought beside the vehicle. */
      readonly extras?: components['schemas']['Extras'] | null;
      /** @description How and when the buyer gets the vehicle: delivery or collection. */
      readonly deliveryCollection?: components['schemas']['SelectedDeliveryCollection'] | null;
      /** @description How the buyer wants to pay. */
      readonly selectedPaymentMethod?: components['schemas']['SelectedPaymentMethod'] | null;
      /** @description The finance that the buyer asks for. */
      readonly financeProposal?: components['schemas']['FinanceProposal'] | null;
      /** @description What the shop offers for the buyer's own vehicle. */
      readonly valuation?: components['schemas']['Valuation'] | null;
      /** @description The person who buys: name, contact, address. */
      readonly customer?: components['schemas']['Customer'] | null;
      /** @description All payment records of the transaction. */
      readonly payments?: readonly components['schemas']['SelectedPaymentRecord'][];
      /** @description What a finance calculation begins with. */
      readonly financeDefaults?: components['schemas']['FinanceDefaults'] | null;
    };
    /** @description ndMeta narrowed by `fields`. */
    readonly SelectedNdMeta: {
      /** @description The dealer group that owns the transaction, as an opaque hash: compare it, and read nothing into it. */
      readonly group?: string;
      /** @description The franchise within the group, as an opaque hash. */
      readonly franchise?: string;
      /** @description The name of the branch, for people: `Meridian Bristol`. */
      readonly branch?: string;
      /** @description The location of the branch, as an opaque hash. A partner may be granted single locations. */
      readonly location?: string;
      /** @description The software of the group, as an opaque hash; empty where none is known. */
      readonly groupSoftware?: string;
    };
    /** @description deliveryCollection narrowed by `fields`. */
    readonly SelectedDeliveryCollection: {
      /** @description 1 marks the method that the shop offers by default, 0 any other. */
      readonly is_default?: (0 | 1) | null;
      /** @description 1 = the shop offers the method, 0 = it does not. */
      readonly is_live?: (0 | 1) | null;
      /** @description How long the method takes to prepare, as a whole number. The unit is not specified. */
      readonly lead_time?: number | null;
      /** @description How the buyer gets the vehicle, in the words of the shop: `Home delivery`. */
      readonly method?: string | null;
      /** @description Where the method stands in the list of those that the shop offers. */
      readonly order?: number | null;
      /** @description What the buyer pays for it, as text with two decimals: `"99.00"`. */
      readonly price?: string | null;
      /** @description 40 hexadecimal characters. What they are made of is not specified. */
      readonly hash?: string | null;
      /** @description The day that the buyer asked for: `YYYY-MM-DD`. */
      readonly preferred_date?: string | null;
      /** @description The day that the vehicle is handed over: `YYYY-MM-DD`. */
      readonly delivery_date?: string | null;
      /** @description How far it is, in the words of the shop: `booked`. There is no fixed list of values. */
      readonly delivery_status?: string | null;
      /** @description The first day that the buyer may choose: `YYYY-MM-DD`. */
      readonly minDate?: string | null;
      /** @description The last day that the buyer may choose: `YYYY-MM-DD`. */
      readonly maxDate?: string | null;
      /** @description The kind of delivery, as a whole number. What each number means is not specified. */
      readonly type?: number | null;
      /** @description What distances or amounts of it are counted in: `miles`. Any JSON value; its form is not specified. */
      readonly units?: unknown;
      /** @description The price before it was adjusted, as decimal text: `"99.00"`. */
      readonly originalPrice?: string | null;
    };
    /** @description A payment narrowed by `fields`. */
    readonly SelectedPaymentRecord: {
      /**
       * Format: int64
       * @description The number of this payment. It is never given to another.
       */
      readonly id?: number;
      /**
       * Format: int64
       * @description The numeric id of the owning transaction. Addresses and filters take its `uuid` instead.
       */
      readonly transaction_id?: number;
      /** @description 40 hexadecimal characters that the record was given when it was made. */
      readonly hash?: string;
      /** @description Payment-method token from a card processor. Null where there is none, and for partners that may not see it. */
      readonly token?: string | null;
      /** @description Free text of whoever recorded the payment, usually its id there; `No reference given` where there is none. */
      readonly reference?: string;
      /** @description References of the payment provider. Any JSON value; its form is not specified. */
      readonly provider_references?: unknown;
      /**
       * Format: int64
       * @description The kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.
       */
      readonly type?: number;
      /** @description What was paid for. Value seen: `PAY`. */
      readonly product_identifier?: string;
      /** @description How much was paid, as decimal text with two decimals: `"99.00"`. It names no currency. */
      readonly value?: string;
      /**
       * @description Values seen: 0, 1. What each of them means is not specified; a payment that is recorded with 1 completes an incomplete transaction.
       * @enum {integer}
       */
      readonly status?: 0 | 1;
      /** @description What the provider said about it: `Insufficient funds`. Null where it said nothing. */
      readonly message?: string | null;
      /** @description 1 marks the selected payment of the transaction. */
      readonly is_selected?: number | null;
      /** @description Settings of the payment. Any JSON value; its form is not specified. */
      readonly settings?: unknown;
      /** @description For card payments an object with `type`, `brand`, `method`, `funding`; for other payments a descriptive text: `Bank transfer`. */
      readonly details?:
        | (
            | string
            | {
                readonly [key: string]: unknown;
              }
          )
        | null;
      /** @description When this payment completed the transaction, in UTC: `YYYY-MM-DD HH:MM:SS`. Null where it did not. */
      readonly transaction_completed_at?: string | null;
      /**
       * Format: int64
       * @description When the record was made: Unix timestamp, seconds.
       */
      readonly created_at?: number;
      /** @description Name of the operation that made the record, as `<version>/<resource>/<action>`: `v2/payment/create`. */
      readonly created_by?: string;
      /**
       * Format: int64
       * @description When the record was last changed: Unix timestamp, seconds.
       */
      readonly updated_at?: number;
      /** @description Name of the operation that last changed the record, in the form of `created_by`. */
      readonly updated_by?: string;
      /** @description Number of the payment gateway that was used. Which number stands for which gateway is not specified. */
      readonly gateway_id?: number | null;
    };
    /** @description Absolute addresses of other pages, with every parameter of the request. */
    readonly ListLinks: {
      /** @description The page that you have read. */
      readonly self: {
        /**
         * Format: uri
         * @description The absolute address to follow, as it is.
         */
        readonly href: string;
      };
      /** @description The page with the oldest transactions. */
      readonly first: {
        /**
         * Format: uri
         * @description The absolute address to follow, as it is.
         */
        readonly href: string;
      };
      /** @description The page with the newest transactions. */
      readonly last: {
        /**
         * Format: uri
         * @description The absolute address to follow, as it is.
         */
        readonly href: string;
      };
      /** @description The page before, on every page but the first. */
      readonly prev?: {
        /**
         * Format: uri
         * @description The absolute address to follow, as it is.
         */
        readonly href: string;
      };
      /** @description The page after, on every page but the last. Followed, it neither repeats nor skips what was there when this page was read. */
      readonly next?: {
        /**
         * Format: uri
         * @description The absolute address to follow, as it is.
         */
        readonly href: string;
      };
    };
    /** @description How much there is. */
    readonly ListMeta: {
      /**
       * Format: int64
       * @description How many transactions match, exactly.
       */
      readonly totalCount: number;
      /**
       * Format: int64
       * @description How many pages they fill; 0 when nothing matches.
       */
      readonly pageCount: number;
      /**
       * Format: int64
       * @description Which page this is, counted from 1.
       */
      readonly currentPage: number;
      /**
       * Format: int64
       * @description How many transactions a full page holds.
       */
      readonly perPage: number;
    };
    /** @description One page of events, newest first. Without totals. */
    readonly EventList: {
      /** @description The events of this page, the newest first. */
      readonly data: readonly components['schemas']['Event'][];
      /** @description Where other pages are. */
      readonly _links: {
        /** @description The page that you have read. */
        readonly self: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
        /** @description The page of the newest events. */
        readonly first: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
        /** @description The page of older events, if there are any. */
        readonly next?: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
      };
      /** @description How large pages are. There are no totals. */
      readonly _meta: {
        /**
         * Format: int64
         * @description How many events a full page holds.
         */
        readonly perPage: number;
      };
    };
    /** @description A message that was or is being sent to you, and what became of it. */
    readonly Event: {
      /**
       * Format: uuid
       * @description Id of the event. Its message has the same one.
       */
      readonly id: string;
      /**
       * @description What happened: a change, a completion, or nothing but a test of your webhook.
       * @enum {string}
       */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction that it is about; null where it is about none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description The event covers the changes after this version of the transaction, up to and including `toVersion`.
       */
      readonly fromVersion: number;
      /**
       * Format: int64
       * @description The last version of the transaction that the event covers.
       */
      readonly toVersion: number;
      /**
       * Format: date-time
       * @description When the event was created: ISO 8601, UTC.
       */
      readonly createdAt: string;
      /**
       * @description Where it is on its way to your endpoint.
       * @enum {string}
       */
      readonly state: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      /** @description Why it is in that state, by a word that stays the same: `HTTP_503`, `TIMEOUT`. Null where no reason is known. */
      readonly reason: string | null;
      /** @description The state and the reason in a sentence. */
      readonly meaning: string;
      /** @description When it is sent next, in ISO 8601, UTC. Null where nothing is planned. */
      readonly nextAttemptAt: string | null;
    };
    /** @description An event with its timeline and its message. */
    readonly EventWithMessage: {
      /**
       * Format: uuid
       * @description Id of the event. Its message has the same one.
       */
      readonly id: string;
      /**
       * @description What happened: a change, a completion, or nothing but a test of your webhook.
       * @enum {string}
       */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction that it is about; null where it is about none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description The event covers the changes after this version of the transaction, up to and including `toVersion`.
       */
      readonly fromVersion: number;
      /**
       * Format: int64
       * @description The last version of the transaction that the event covers.
       */
      readonly toVersion: number;
      /**
       * Format: date-time
       * @description When the event was created: ISO 8601, UTC.
       */
      readonly createdAt: string;
      /**
       * @description Where it is on its way to your endpoint.
       * @enum {string}
       */
      readonly state: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      /** @description Why it is in that state, by a word that stays the same: `HTTP_503`, `TIMEOUT`. Null where no reason is known. */
      readonly reason: string | null;
      /** @description The state and the reason in a sentence. */
      readonly meaning: string;
      /** @description When it is sent next, in ISO 8601, UTC. Null where nothing is planned. */
      readonly nextAttemptAt: string | null;
      /** @description What happened to it, oldest first. */
      readonly timeline: readonly {
        /**
         * Format: date-time
         * @description When it happened: ISO 8601, UTC.
         */
        readonly at: string;
        /**
         * @description What happened to the event on its way to your endpoint.
         * @enum {string}
         */
        readonly step:
          | 'changed'
          | 'created'
          | 'held'
          | 'sent'
          | 'attempted'
          | 'delivered'
          | 'failed'
          | 'withheld'
          | 'scheduled'
          | 'taken back';
        /** @description What your endpoint did: `HTTP 503`. Null where there is nothing to add. */
        readonly note: string | null;
      }[];
      /** @description What your endpoint was sent, to the byte; null where it is not kept any more. */
      readonly message:
        | (
            | components['schemas']['TransactionUpdatedMessage']
            | components['schemas']['TransactionCompletedMessage']
            | components['schemas']['WebhookTestMessage']
          )
        | null;
    };
    /** @description What is sent again. */
    readonly ReplayAnswer: {
      /** @description The events that are sent again; empty without `nop2/read`. */
      readonly data: readonly components['schemas']['ReplayedEvent'][];
      /** @description The body of the request that goes on; null at the end. */
      readonly next:
        | ({
            /** @description The same time as in your request. */
            readonly since: string;
            /** @description Where the next request goes on. Send it back as it is. */
            readonly after: string;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
    };
    /** @description An event that is sent again. */
    readonly ReplayedEvent: {
      /**
       * Format: uuid
       * @description Id of the event. Its message has the same one.
       */
      readonly id: string;
      /**
       * @description What happened: a change, a completion, or nothing but a test of your webhook.
       * @enum {string}
       */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction that it is about; null where it is about none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description The event covers the changes after this version of the transaction, up to and including `toVersion`.
       */
      readonly fromVersion: number;
      /**
       * Format: int64
       * @description The last version of the transaction that the event covers.
       */
      readonly toVersion: number;
      /**
       * @description `scheduled`: sent within ten seconds, or after a newer change that is about to be sent; where something newer was sent since, as part of one event with an id of its own. `underway`: it was about to be sent anyway. `expired`: its message is not kept any more.
       * @enum {string}
       */
      readonly outcome: 'scheduled' | 'underway' | 'expired';
      /** @description Events that this one tells, too; they are not sent by themselves. */
      readonly standsFor: readonly string[];
      /** @description The version that you were sent already, where this event is older than that. */
      readonly newerVersion: number | null;
    };
    /** @description A test that is about to be sent. */
    readonly WebhookTestAnswer: {
      /**
       * Format: uuid
       * @description Id of the event. Its message has the same one.
       */
      readonly id: string;
      /**
       * @description What happened: a change, a completion, or nothing but a test of your webhook.
       * @enum {string}
       */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction that it is about; null where it is about none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description The event covers the changes after this version of the transaction, up to and including `toVersion`.
       */
      readonly fromVersion: number;
      /**
       * Format: int64
       * @description The last version of the transaction that the event covers.
       */
      readonly toVersion: number;
      /**
       * Format: date-time
       * @description When the event was created: ISO 8601, UTC.
       */
      readonly createdAt: string;
      /**
       * @description Where it is on its way to your endpoint.
       * @enum {string}
       */
      readonly state: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      /** @description Why it is in that state, by a word that stays the same: `HTTP_503`, `TIMEOUT`. Null where no reason is known. */
      readonly reason: string | null;
      /** @description The state and the reason in a sentence. */
      readonly meaning: string;
      /** @description When it is sent next, in ISO 8601, UTC. Null where nothing is planned. */
      readonly nextAttemptAt: string | null;
      /** @description Where to look next. */
      readonly _links: {
        /** @description The event of the test, which says what came of it. */
        readonly self: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
      };
    };
    /** @description What the service knows of you. */
    readonly Partner: {
      /** @description The name that your operator registered you by. */
      readonly name: string;
      /** @description Every OAuth scope that your tokens may have. */
      readonly oauthScopes: readonly ('nop2/read' | 'nop2/write' | 'nop2/webhook')[];
      /** @description Which transactions you may see: the union of these. */
      readonly grants: readonly {
        /** @description The group whose transactions you may see, as an opaque hash. */
        readonly group: string;
        /** @description Only transactions of this franchise; absent for all of them. */
        readonly franchise?: string;
        /** @description Only transactions of this location; absent for all of them. */
        readonly location?: string;
        /** @description Names of branches that are registered within it, 20 at most. */
        readonly branches: readonly string[];
        /**
         * Format: int64
         * @description How many branches are registered within it, those without a name above included.
         */
        readonly branchCount: number;
      }[];
      /** @description What your requests may ask for, and how often. */
      readonly limits: {
        /** @description How large pages of lists are. */
        readonly perPage: {
          /**
           * Format: int64
           * @description How many records a page holds if the request does not say.
           */
          readonly default: number;
          /**
           * Format: int64
           * @description How many records a page holds at most.
           */
          readonly maximum: number;
        };
        /** @description How large queries may be. */
        readonly queryParameters: {
          /**
           * Format: int64
           * @description How many query parameters a request may have.
           */
          readonly maximum: number;
          /**
           * Format: int64
           * @description How many levels of brackets the name of one may have.
           */
          readonly levels: number;
        };
        /** @description Your quotas, as the header `RateLimit-Policy` has them. */
        readonly requests: readonly {
          /** @description What is counted: `partner` is every request of yours. */
          readonly name: string;
          /**
           * Format: int64
           * @description How many such requests you may make in a window.
           */
          readonly quota: number;
          /**
           * Format: int64
           * @description How long a window is. It begins at a multiple of that since 1970.
           */
          readonly windowSeconds: number;
        }[];
      };
      /** @description Every client secret that works now. */
      readonly secrets: readonly {
        /** @description The id by which you and your operator speak of this secret. */
        readonly id: string;
        /**
         * Format: date-time
         * @description When it was made: ISO 8601, UTC.
         */
        readonly createdAt: string;
        /**
         * Format: int64
         * @description How many whole days ago that was.
         */
        readonly ageDays: number;
        /** @description The last day on which a token was got with it. Null for never. */
        readonly lastUsedOn: string | null;
        /** @description When it stops working: ISO 8601, UTC. Null where it has no end. */
        readonly expiresAt: string | null;
      }[];
      /** @description Where events go; of the address the host alone, since the rest may hold a secret of yours. */
      readonly webhook: {
        /**
         * @description `off`: no address. `verifying`: the address is being checked, or set up. `on`: events are sent. `paused`: events are kept until it is resumed. `failing`: see `reason`.
         * @enum {string}
         */
        readonly state: 'off' | 'verifying' | 'on' | 'paused' | 'failing';
        /** @description Since when it is in this state: ISO 8601, UTC. Null where that is not known. */
        readonly since: string | null;
        /** @description Why it is failing: `TIMEOUT`, `DNS`, `NO_CONNECTION`, `REDIRECT`, `ADDRESS_NOT_PUBLIC`, `ANSWER_TOO_LARGE`, `HTTP_500` and so on, or `OTHER`. There may be others one day. */
        readonly reason: string | null;
        /** @description Who paused it. What your operator paused, your operator resumes. */
        readonly pausedBy: ('operator' | 'partner') | null;
        /** @description The host in the address of your webhook; null where there is none. */
        readonly host: string | null;
        /** @description The last event, among the newest hundred, with which the delivery gave up. What it is still trying, for up to 24 hours, is not here. */
        readonly lastFailure: {
          /**
           * Format: uuid
           * @description The id of that event: `GET /api/v2/event/{id}` shows it.
           */
          readonly event: string;
          /**
           * Format: date-time
           * @description When the delivery gave up: ISO 8601, UTC.
           */
          readonly at: string;
          /** @description Why it gave up, by a word that stays the same: `HTTP_503`, `TIMEOUT`. */
          readonly reason: string;
          /** @description The HTTP status that your endpoint answered; null where it gave no answer. */
          readonly status: number | null;
        } | null;
        /** @description How old the value of `X-Webhook-Signature` is. */
        readonly signature: {
          /**
           * Format: date-time
           * @description When it was made: ISO 8601, UTC.
           */
          readonly createdAt: string;
          /**
           * Format: int64
           * @description How many whole days ago that was.
           */
          readonly ageDays: number;
        };
        /** @description How old the next value is, which messages carry as `X-Webhook-Signature-Next` until you choose it. Null where there is none. */
        readonly nextSignature: {
          /**
           * Format: date-time
           * @description When it was made: ISO 8601, UTC.
           */
          readonly createdAt: string;
          /**
           * Format: int64
           * @description How many whole days ago that was.
           */
          readonly ageDays: number;
        } | null;
        /** @description When the webhook was last changed, and by whom. */
        readonly lastChange: {
          /**
           * Format: date-time
           * @description When it was changed: ISO 8601, UTC.
           */
          readonly at: string;
          /**
           * @description Who changed it: your operator, or you.
           * @enum {string}
           */
          readonly by: 'operator' | 'partner';
        } | null;
      };
    };
    /** @description Where your events go, and how that stands. */
    readonly Webhook: {
      /** @description The address that was set last; null where there is none. */
      readonly url: string | null;
      /**
       * @description `off`: no address. `verifying`: the address is being checked, or set up. `on`: events are sent. `paused`: events are kept until it is resumed. `failing`: see `reason`.
       * @enum {string}
       */
      readonly state: 'off' | 'verifying' | 'on' | 'paused' | 'failing';
      /** @description Since when it is in this state: ISO 8601, UTC. Null where that is not known. */
      readonly since: string | null;
      /** @description Why it is failing: `TIMEOUT`, `DNS`, `NO_CONNECTION`, `REDIRECT`, `ADDRESS_NOT_PUBLIC`, `ANSWER_TOO_LARGE`, `HTTP_500` and so on, or `OTHER`. There may be others one day. */
      readonly reason: string | null;
      /** @description Who paused it. What your operator paused, your operator resumes. */
      readonly pausedBy: ('operator' | 'partner') | null;
      /** @description The address that events go to: the former one until a new one has passed its check. */
      readonly servedUrl: string | null;
      /** @description How old the value of `X-Webhook-Signature` is. */
      readonly signature: {
        /**
         * Format: date-time
         * @description When it was made: ISO 8601, UTC.
         */
        readonly createdAt: string;
        /**
         * Format: int64
         * @description How many whole days ago that was.
         */
        readonly ageDays: number;
      };
      /** @description How old the next value is, which messages carry as `X-Webhook-Signature-Next` until you choose it. Null where there is none. */
      readonly nextSignature: {
        /**
         * Format: date-time
         * @description When it was made: ISO 8601, UTC.
         */
        readonly createdAt: string;
        /**
         * Format: int64
         * @description How many whole days ago that was.
         */
        readonly ageDays: number;
      } | null;
      /** @description When the webhook was last changed, and by whom. */
      readonly lastChange: {
        /**
         * Format: date-time
         * @description When it was changed: ISO 8601, UTC.
         */
        readonly at: string;
        /**
         * @description Who changed it: your operator, or you.
         * @enum {string}
         */
        readonly by: 'operator' | 'partner';
      } | null;
      /** @description Where to look next. */
      readonly _links: {
        /** @description Your webhook: its address and its state. */
        readonly self: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
      };
    };
    /** @description The webhook after the change; its links alone without `nop2/read`. */
    readonly ChangedWebhook: components['schemas']['Webhook'] | components['schemas']['WebhookReference'];
    /** @description Where to look at the webhook. */
    readonly WebhookReference: {
      /** @description Where to look next. */
      readonly _links: {
        /** @description Your webhook: its address and its state. */
        readonly self: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
      };
    };
    /** @description That a next value was made. It is not shown again. */
    readonly RepeatedSignature: {
      /**
       * Format: date-time
       * @description When the next value was made: ISO 8601, UTC.
       */
      readonly createdAt: string;
      /** @description Where to look next. */
      readonly _links: {
        /** @description Your webhook: its address and its state. */
        readonly self: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
      };
    };
    /** @description A next value of `X-Webhook-Signature`. */
    readonly NextSignature: {
      /** @description The next value. It is shown this once: store it now. */
      readonly signature: string;
      /**
       * Format: date-time
       * @description When the next value was made: ISO 8601, UTC.
       */
      readonly createdAt: string;
      /** @description Where to look next. */
      readonly _links: {
        /** @description Your webhook: its address and its state. */
        readonly self: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
      };
    };
    /** @description A token of the session of a signed-in user (RFC 8693). */
    readonly SessionGrant: {
      /** @description The token of the user’s session. */
      readonly access_token: string;
      /**
       * @description Always this name: `access_token` is an access token.
       * @constant
       */
      readonly issued_token_type: 'urn:ietf:params:oauth:token-type:access_token';
      /**
       * @description Always `Bearer`: send the token as `Authorization: Bearer …`.
       * @constant
       */
      readonly token_type: 'Bearer';
      /**
       * @description For how many seconds the token is valid: 30 days.
       * @constant
       */
      readonly expires_in: 2592000;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
