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

/** The maximum of transactions or events on a page. */
export const largestPerPage = 50;

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description A request for a token (RFC 6749, section 4.4.2). Without `scope`, the token has every OAuth scope that you may have. */
    readonly TokenRequest: {
      /**
       * @description Always `client_credentials`.
       * @constant
       */
      readonly grant_type: 'client_credentials';
      /** @description OAuth scopes, separated by spaces: nop2/read, nop2/write, nop2/webhook. */
      readonly scope?: string;
      /** @description Your client ID, if you do not send `Authorization: Basic`. */
      readonly client_id?: string;
      /** @description Your client secret, if you send `client_id`. */
      readonly client_secret?: string;
    } & {
      readonly [key: string]: string;
    };
    /** @description An access token of yours (RFC 7662, RFC 7009). */
    readonly TokenToJudge: {
      /** @description The access token to check or to revoke. */
      readonly token: string;
      /** @description Ignored: there is only one type of token. */
      readonly token_type_hint?: string;
      /** @description Your client ID, if you do not send `Authorization: Basic`. */
      readonly client_id?: string;
      /** @description Your client secret, if you send `client_id`. */
      readonly client_secret?: string;
    } & {
      readonly [key: string]: string;
    };
    /** @description How long the present secret still works. Authenticate with `Authorization: Basic`. */
    readonly SecretRequest: {
      /** @description For how many hours the present secret still works: 1 to 168, and 24 if absent or empty. */
      readonly overlap_hours?: string;
    } & {
      readonly [key: string]: string;
    };
    /** @description A change of a transaction. Members that are absent stay as they are, and null removes an element. An unknown member is refused. */
    readonly TransactionChange: {
      /** @description The location to move the transaction to. It must have a registered storefront, within your grants. */
      readonly location?: string;
      /** @description The franchise at that location, if it has several. */
      readonly franchise?: string;
      /**
       * @description 1 deletes it: reads no longer find it, and partners are notified.
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
      /** @description Id of a document that belongs to the transaction. Null if there is none. */
      readonly document_id?: string | null;
      /** @description The name of a payment method: `finance`. Empty if none is chosen. */
      readonly preselectedPaymentMethod?: string;
      /** @description Address of the page that the buyer came from. Empty if none is known. */
      readonly referrerUrl?: string;
      /** @description The email address of a buyer who has not signed in. Null if none was entered. */
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
    /** @description The vehicle that is being bought. `identifiers.ndstockid` and `identifiers.salesmasterid` are what the filters of lists compare. Other members are stored as they are sent. */
    readonly Vehicle: {
      /** @description Identifiers of the vehicle, in this system and in others. */
      readonly identifiers?:
        | ({
            /** @description Stock ID of the vehicle. `filter[identifiers][ndstockid]` finds its transactions. */
            readonly ndstockid?: string | null;
            /** @description ID of the vehicle in an external system. `filter[identifiers][salesmasterid]` finds its transactions. */
            readonly salesmasterid?: string | null;
            /** @description The number plate; null for a vehicle that was never registered. */
            readonly registration?: string | null;
            /** @description Vehicle identification number, as stamped into the chassis. */
            readonly vin?: string | null;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
      /** @description Manufacturer of the vehicle: `BMW`. */
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
      /** @description The name that the manufacturer gives the colour: `Atlantic Blue`. */
      readonly colour?: string | null;
      /** @description Number of doors: `5`. */
      readonly doors?: number | null;
      /** @description Whether it was owned before: `new`, `used`. Other words are possible. */
      readonly condition?: string | null;
      /** @description How many miles it has run. A number, or a decimal number as text. */
      readonly mileage?: (number | string) | null;
      /** @description Price in the shop. A number, or a decimal number as text: `"41395.00"`. */
      readonly price?: (number | string) | null;
      /** @description Whether a business that buys it may reclaim the value added tax. */
      readonly isVatQualifying?: boolean | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description What is bought beside the vehicle: a list of extras, or an object that the checkout defines. Other members are stored as they are sent. */
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
    /** @description Delivery or collection in a request. Each member can be absent or null. */
    readonly DeliveryCollectionChange: {
      /** @description 1 marks the method that the shop offers by default, 0 any other. */
      readonly is_default?: (0 | 1) | null;
      /** @description 1 = the shop offers the method, 0 = it does not. */
      readonly is_live?: (0 | 1) | null;
      /** @description How long the method takes to prepare, as a whole number. The unit is not specified. */
      readonly lead_time?: number | null;
      /** @description How the buyer gets the vehicle, in the words of the shop: `Home delivery`. */
      readonly method?: string | null;
      /** @description Position of the method among those that the shop offers. */
      readonly order?: number | null;
      /** @description Price for the buyer, as decimal text: `"99.00"`. */
      readonly price?: string | null;
      /** @description 40 hexadecimal characters. How they are computed is not specified. */
      readonly hash?: string | null;
      /** @description The day that the buyer asked for: `YYYY-MM-DD`. */
      readonly preferred_date?: string | null;
      /** @description The day that the vehicle is handed over: `YYYY-MM-DD`. */
      readonly delivery_date?: string | null;
      /** @description Progress of the delivery, in the words of the shop: `booked`. There is no fixed list of values. */
      readonly delivery_status?: string | null;
      /** @description The first day that the buyer may choose: `YYYY-MM-DD`. */
      readonly minDate?: string | null;
      /** @description The last day that the buyer may choose: `YYYY-MM-DD`. */
      readonly maxDate?: string | null;
      /** @description The kind of delivery, as a whole number. What each number means is not specified. */
      readonly type?: number | null;
      /** @description Unit of distances or amounts: `miles`. Any JSON value; its form is not specified. */
      readonly units?: unknown;
      /** @description Price before adjustments, as decimal text: `"99.00"`. */
      readonly originalPrice?: string | null;
    };
    /** @description How the buyer wants to pay. Other members are stored as they are sent. */
    readonly SelectedPaymentMethod: {
      /** @description Name of the payment method that the buyer chose, for programs: `finance`. */
      readonly name?: string | null;
      /** @description The same for people: `Personal contract purchase`. */
      readonly label?: string | null;
      /** @description The finance product, if the method is finance: `PCP`. */
      readonly product?: string | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description The finance that the buyer asks for. Other members are stored as they are sent. */
    readonly FinanceProposal: {
      /** @description The kind of agreement: `PCP`, `HP`. */
      readonly product?: string | null;
      /** @description The lender that was asked: `Sample Bank`. */
      readonly provider?: string | null;
      /** @description Progress of the proposal, in the words of the shop: `quoted`. There is no fixed list of values. */
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
      /** @description Final payment to keep the vehicle. A number, or a decimal number as text. */
      readonly finalPayment?: (number | string) | null;
      /** @description How many miles a year the agreement allows. A number, or a decimal number as text. */
      readonly annualMileage?: (number | string) | null;
      /** @description What each mile above that costs. A number, or a decimal number as text. */
      readonly excessMileageCharge?: (number | string) | null;
      /** @description What it costs to become the owner at the end. A number, or a decimal number as text. */
      readonly optionToPurchaseFee?: (number | string) | null;
      /** @description Total that the buyer pays, deposit and fees included. A number, or a decimal number as text. */
      readonly totalPayable?: (number | string) | null;
      /** @description What the credit costs: interest and fees. A number, or a decimal number as text. */
      readonly totalChargeForCredit?: (number | string) | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description What the shop offers for the buyer's own vehicle. Other members are stored as they are sent. */
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
      /** @description The offer minus what is still owed; negative if more is owed. A number, or a decimal number as text. */
      readonly equity?: (number | string) | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description The person who buys: name, contact, address. Other members are stored as they are sent. */
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
            /** @description Second line of the address, if there is one. */
            readonly line2?: string | null;
            /** @description Town or city of the address. */
            readonly town?: string | null;
            /** @description County of the address, if one was entered. */
            readonly county?: string | null;
            /** @description Postcode of the address: `XX8 4ZZ`. */
            readonly postcode?: string | null;
            /** @description Country of the address: `GB`. */
            readonly country?: string | null;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
      /** @description How the buyer agreed to receive advertising. */
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
    /** @description What a finance calculation begins with. Other members are stored as they are sent. */
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
    /** @description A payment to record. The service adds the other members of the record, and refuses a body that has one of them. */
    readonly NewPayment: {
      /** @description The uuid of the transaction that was paid for. */
      readonly transaction: string;
      /**
       * Format: int64
       * @description Kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.
       */
      readonly type: number;
      /** @description The amount, with two decimals and no leading zeros: `"199.00"`, `"0.50"`. */
      readonly value: string;
      /**
       * @description 1 completes an incomplete transaction, 0 does not. What else they mean is not specified.
       * @enum {integer}
       */
      readonly status: 0 | 1;
      /** @description Your own reference for the payment, usually its ID in your system. */
      readonly reference?: string | null;
      /** @description What was paid for. Value seen: `PAY`, which is also the default. */
      readonly product_identifier?: string | null;
      /** @description Free text: what the payment provider said about it. */
      readonly message?: string | null;
      /** @description Payment-method token from a card processor. It is shown only to partners that may see it. */
      readonly token?: string | null;
      /** @description Settings of the payment. Any JSON value; its form is not specified. */
      readonly settings?: unknown;
      /** @description For a card payment, an object with `type`, `brand`, `method`, `funding`; for any other, a text. */
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
    /** @description A replay of what was sent since a time. */
    readonly ReplaySince: {
      /**
       * Format: date-time
       * @description Replay what was sent at this time or later. It is in UTC, and ends with `Z` or `+00:00`: `2026-11-22T12:00:00Z`.
       */
      readonly since: string;
      /**
       * @description Replay only events of this type.
       * @enum {string}
       */
      readonly type?: 'TransactionUpdated' | 'TransactionCompleted';
      /** @description Replay only events of the transaction with this uuid. */
      readonly transaction?: string;
    };
    /** @description A replay of what failed. */
    readonly ReplayFailed: {
      /**
       * @description Send what failed and was given up.
       * @constant
       */
      readonly state: 'failed';
    };
    /** @description The address of a webhook. */
    readonly WebhookAddress: {
      /**
       * Format: uri
       * @description Where your events go: an `https` address with a public host name.
       */
      readonly url: string;
    };
    /** @description A change of a webhook, with at least one member. */
    readonly WebhookChange: {
      /** @description true pauses the webhook: events are kept. false resumes it. */
      readonly paused?: boolean;
      /**
       * @description `next` switches to the next signature. The former one is discarded.
       * @constant
       */
      readonly signature?: 'next';
    };
    /** @description Contents of a new transaction. An unknown member is refused. */
    readonly NewTransaction: {
      /** @description The location of the transaction. It must have a storefront that is registered for the `Origin` of the request. */
      readonly location?: string;
      /** @description The franchise at that location, if it has several. */
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
      /** @description Id of a document that belongs to the transaction. Null if there is none. */
      readonly document_id?: string | null;
      /** @description The name of a payment method: `finance`. Empty if none is chosen. */
      readonly preselectedPaymentMethod?: string;
      /** @description Address of the page that the buyer came from. Empty if none is known. */
      readonly referrerUrl?: string;
      /** @description The email address of a buyer who has not signed in. Null if none was entered. */
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
    /** @description A sign-in, as a token exchange (RFC 8693). */
    readonly TokenExchange: {
      /**
       * @description Always this value, which names a token exchange.
       * @constant
       */
      readonly grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange';
      /** @description The ID token of the buyer, from the identity provider of your storefront. It must be at most 10 minutes old. */
      readonly subject_token: string;
      /**
       * @description Always this value: `subject_token` is an ID token.
       * @constant
       */
      readonly subject_token_type: 'urn:ietf:params:oauth:token-type:id_token';
      /** @description The token of the anonymous session that the buyer continues. It ends with this request. */
      readonly actor_token?: string;
      /**
       * @description Always this value. Send it with `actor_token`.
       * @constant
       */
      readonly actor_token_type?: 'urn:ietf:params:oauth:token-type:access_token';
      /**
       * @description The type of token that you want. There is only this one.
       * @constant
       */
      readonly requested_token_type?: 'urn:ietf:params:oauth:token-type:access_token';
    } & {
      readonly [key: string]: string;
    };
    /**
     * TransactionUpdated
     * @description A property of the transaction changed. Sent when it has not been updated for two minutes.
     */
    readonly TransactionUpdatedMessage: {
      /** @description Disregard it: it has no meaning for partners. */
      readonly version: string;
      /**
       * Format: uuid
       * @description ID of the event. A copy has the same ID. Use it to drop duplicates.
       */
      readonly id: string;
      /**
       * @description The type of event. Answer 2xx to a type that you do not know.
       * @constant
       */
      readonly 'detail-type': 'TransactionUpdated';
      /** @description The stage that sent it: `svc.production.online-payments`, `svc.staging.online-payments`. Check it, so that you do not mix stages. */
      readonly source: string;
      /** @description Disregard it: it has no meaning for partners. */
      readonly account: string;
      /** @description When the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description Disregard it: it has no meaning for partners. */
      readonly region: string;
      /** @description Always empty. Disregard it. */
      readonly resources: readonly unknown[];
      /** @description The transaction, with the elements that changed. */
      readonly detail:
        | components['schemas']['TransactionUpdatedDetail']
        | components['schemas']['TransactionDeletedDetail'];
    };
    /** @description uuid, status and ndMeta, and the elements that changed. */
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
    /** @description Owner of the transaction: a registered storefront. */
    readonly NdMeta: {
      /** @description The dealer group that owns the transaction, as an opaque hash. */
      readonly group: string;
      /** @description The franchise within the group, as an opaque hash. */
      readonly franchise: string;
      /** @description The name of the branch, for people: `Meridian Bristol`. */
      readonly branch: string;
      /** @description The location of the branch, as an opaque hash. A partner may be granted single locations. */
      readonly location: string;
      /** @description The software of the group, as an opaque hash; empty if unknown. */
      readonly groupSoftware: string;
    };
    /** @description Delivery or collection, with every member. A member that is not known is null. */
    readonly DeliveryCollection: {
      /** @description 1 marks the method that the shop offers by default, 0 any other. */
      readonly is_default: (0 | 1) | null;
      /** @description 1 = the shop offers the method, 0 = it does not. */
      readonly is_live: (0 | 1) | null;
      /** @description How long the method takes to prepare, as a whole number. The unit is not specified. */
      readonly lead_time: number | null;
      /** @description How the buyer gets the vehicle, in the words of the shop: `Home delivery`. */
      readonly method: string | null;
      /** @description Position of the method among those that the shop offers. */
      readonly order: number | null;
      /** @description Price for the buyer, as decimal text: `"99.00"`. */
      readonly price: string | null;
      /** @description 40 hexadecimal characters. How they are computed is not specified. */
      readonly hash: string | null;
      /** @description The day that the buyer asked for: `YYYY-MM-DD`. */
      readonly preferred_date: string | null;
      /** @description The day that the vehicle is handed over: `YYYY-MM-DD`. */
      readonly delivery_date: string | null;
      /** @description Progress of the delivery, in the words of the shop: `booked`. There is no fixed list of values. */
      readonly delivery_status: string | null;
      /** @description The first day that the buyer may choose: `YYYY-MM-DD`. */
      readonly minDate: string | null;
      /** @description The last day that the buyer may choose: `YYYY-MM-DD`. */
      readonly maxDate: string | null;
      /** @description The kind of delivery, as a whole number. What each number means is not specified. */
      readonly type: number | null;
      /** @description Unit of distances or amounts: `miles`. Any JSON value; its form is not specified. */
      readonly units: unknown;
      /** @description Price before adjustments, as decimal text: `"99.00"`. */
      readonly originalPrice: string | null;
    };
    /** @description A payment, with every member. A member that is not known is null. */
    readonly PaymentRecord: {
      /**
       * Format: int64
       * @description Number of this payment. No other payment ever has it.
       */
      readonly id: number;
      /**
       * Format: int64
       * @description The numeric id of the owning transaction. Addresses and filters take its `uuid` instead.
       */
      readonly transaction_id: number;
      /** @description 40 hexadecimal characters, created with the record. */
      readonly hash: string;
      /** @description Payment-method token from a card processor. Null if there is none, or if you may not see it. */
      readonly token: string | null;
      /** @description The reference of whoever recorded the payment; `No reference given` if there is none. */
      readonly reference: string;
      /** @description References of the payment provider. Any JSON value; its form is not specified. */
      readonly provider_references: unknown;
      /**
       * Format: int64
       * @description Kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.
       */
      readonly type: number;
      /** @description What was paid for. Value seen: `PAY`. */
      readonly product_identifier: string;
      /** @description Amount, as decimal text with two decimals: `"99.00"`. The currency is not specified. */
      readonly value: string;
      /**
       * @description Values seen: 0, 1. A payment that is recorded with 1 completes an incomplete transaction. What else they mean is not specified.
       * @enum {integer}
       */
      readonly status: 0 | 1;
      /** @description What the payment provider said: `Insufficient funds`. Null if it said nothing. */
      readonly message: string | null;
      /** @description 1 marks the selected payment of the transaction. */
      readonly is_selected: number | null;
      /** @description Settings of the payment. Any JSON value; its form is not specified. */
      readonly settings: unknown;
      /** @description For a card payment, an object with `type`, `brand`, `method`, `funding`; for any other, a text: `Bank transfer`. */
      readonly details:
        | (
            | string
            | {
                readonly [key: string]: unknown;
              }
          )
        | null;
      /** @description When this payment completed the transaction, in UTC: `YYYY-MM-DD HH:MM:SS`. Null if it did not. */
      readonly transaction_completed_at: string | null;
      /**
       * Format: int64
       * @description When the record was created: Unix timestamp, seconds.
       */
      readonly created_at: number;
      /** @description Name of the operation that created the record, as `<version>/<resource>/<action>`: `v2/payment/create`. */
      readonly created_by: string;
      /**
       * Format: int64
       * @description When the record was last changed: Unix timestamp, seconds.
       */
      readonly updated_at: number;
      /** @description Name of the operation that last changed the record, in the format of `created_by`. */
      readonly updated_by: string;
      /** @description Number of the payment gateway that was used. Which number stands for which gateway is not specified. */
      readonly gateway_id: number | null;
    };
    /** @description uuid, status and ndMeta of a deleted transaction, and no element. */
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
       * @description Always 1: the transaction is deleted, and reads no longer find it.
       * @constant
       */
      readonly isDeleted: 1;
    };
    /**
     * TransactionCompleted
     * @description A payment completed the transaction. Sent at once.
     */
    readonly TransactionCompletedMessage: {
      /** @description Disregard it: it has no meaning for partners. */
      readonly version: string;
      /**
       * Format: uuid
       * @description ID of the event. A copy has the same ID. Use it to drop duplicates.
       */
      readonly id: string;
      /**
       * @description The type of event. Answer 2xx to a type that you do not know.
       * @constant
       */
      readonly 'detail-type': 'TransactionCompleted';
      /** @description The stage that sent it: `svc.production.online-payments`, `svc.staging.online-payments`. Check it, so that you do not mix stages. */
      readonly source: string;
      /** @description Disregard it: it has no meaning for partners. */
      readonly account: string;
      /** @description When the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description Disregard it: it has no meaning for partners. */
      readonly region: string;
      /** @description Always empty. Disregard it. */
      readonly resources: readonly unknown[];
      /** @description The transaction that is complete now, with its payments. */
      readonly detail: components['schemas']['TransactionCompletedDetail'];
    };
    /** @description uuid, status and ndMeta, and the payments. */
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
         * @description Number of this payment. No other payment ever has it.
         */
        readonly id: number;
        /**
         * Format: int64
         * @description The numeric id of the owning transaction. Addresses and filters take its `uuid` instead.
         */
        readonly transaction_id: number;
        /** @description 40 hexadecimal characters, created with the record. */
        readonly hash: string;
        /** @description Payment-method token from a card processor. Null if there is none, or if you may not see it. */
        readonly token: string | null;
        /** @description The reference of whoever recorded the payment; `No reference given` if there is none. */
        readonly reference: string;
        /** @description References of the payment provider. Any JSON value; its form is not specified. */
        readonly provider_references: unknown;
        /**
         * Format: int64
         * @description Kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.
         */
        readonly type: number;
        /** @description What was paid for. Value seen: `PAY`. */
        readonly product_identifier: string;
        /** @description Amount, as decimal text with two decimals: `"99.00"`. The currency is not specified. */
        readonly value: string;
        /**
         * @description Values seen: 0, 1. A payment that is recorded with 1 completes an incomplete transaction. What else they mean is not specified.
         * @enum {integer}
         */
        readonly status: 0 | 1;
        /** @description What the payment provider said: `Insufficient funds`. Null if it said nothing. */
        readonly message: string | null;
        /** @description 1 marks the selected payment of the transaction. */
        readonly is_selected: number | null;
        /** @description Settings of the payment. Any JSON value; its form is not specified. */
        readonly settings: unknown;
        /** @description For a card payment, an object with `type`, `brand`, `method`, `funding`; for any other, a text: `Bank transfer`. */
        readonly details:
          | (
              | string
              | {
                  readonly [key: string]: unknown;
                }
            )
          | null;
        /** @description When this payment completed the transaction, in UTC: `YYYY-MM-DD HH:MM:SS`. Null if it did not. */
        readonly transaction_completed_at: string | null;
        /**
         * Format: int64
         * @description When the record was created: Unix timestamp, seconds.
         */
        readonly created_at: number;
        /** @description Name of the operation that created the record, as `<version>/<resource>/<action>`: `v2/payment/create`. */
        readonly created_by: string;
        /**
         * Format: int64
         * @description When the record was last changed: Unix timestamp, seconds.
         */
        readonly updated_at: number;
        /** @description Name of the operation that last changed the record, in the format of `created_by`. */
        readonly updated_by: string;
        /** @description Number of the payment gateway that was used. Which number stands for which gateway is not specified. */
        readonly gateway_id: number | null;
      }[];
    };
    /**
     * WebhookTest
     * @description Checks whether the endpoint accepts the right signature and refuses a wrong one.
     */
    readonly WebhookTestMessage: {
      /** @description Disregard it: it has no meaning for partners. */
      readonly version: string;
      /**
       * Format: uuid
       * @description ID of the event. A copy has the same ID. Use it to drop duplicates.
       */
      readonly id: string;
      /**
       * @description The type of event. Answer 2xx to a type that you do not know.
       * @constant
       */
      readonly 'detail-type': 'WebhookTest';
      /** @description The stage that sent it: `svc.production.online-payments`, `svc.staging.online-payments`. Check it, so that you do not mix stages. */
      readonly source: string;
      /** @description Disregard it: it has no meaning for partners. */
      readonly account: string;
      /** @description When the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description Disregard it: it has no meaning for partners. */
      readonly region: string;
      /** @description Always empty. Disregard it. */
      readonly resources: readonly unknown[];
      /** @description Always empty: a test has no transaction. */
      readonly detail: Record<string, never>;
    };
    /** @description A refusal or a fault: the members of RFC 9457, and some for older clients. */
    readonly Problem: {
      /** @description Address of the paragraph that explains the problem. Compare what stands after `#`: it is the same on every stage. */
      readonly type: string;
      /** @description The reason phrase of the status. */
      readonly title: string;
      /**
       * Format: int64
       * @description The HTTP status; absent if only the gateway knows it.
       */
      readonly status?: number;
      /** @description What happened, in a sentence for people. */
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
      /** @description ID of the request, as in the header `Request-Id`. Quote it when you report the problem. */
      readonly requestId: string;
      /** @description Each parameter, member or header at fault. Always there with 422. */
      readonly errors?: readonly components['schemas']['FieldError'][];
    };
    /** @description One refused parameter or member. */
    readonly FieldError: {
      /** @description The parameter, member or header, as you wrote it: `filter[nope]`, `payments.0.value`. */
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
           * @description The address that the link leads to.
           */
          readonly href: string;
          /** @description The media type of the document there. */
          readonly type?: string;
        }[];
        /** @description Descriptions of the API for programs, this document among them. */
        readonly 'service-desc'?: readonly {
          /**
           * Format: uri
           * @description The address that the link leads to.
           */
          readonly href: string;
          /** @description The media type of the document there. */
          readonly type?: string;
        }[];
        /** @description Documentation of the API for people. */
        readonly 'service-doc'?: readonly {
          /**
           * Format: uri
           * @description The address that the link leads to.
           */
          readonly href: string;
          /** @description The media type of the document there. */
          readonly type?: string;
        }[];
        /** @description Metadata of OAuth: who issues tokens, and how. */
        readonly 'service-meta'?: readonly {
          /**
           * Format: uri
           * @description The address that the link leads to.
           */
          readonly href: string;
          /** @description The media type of the document there. */
          readonly type?: string;
        }[];
      }[];
    };
    /** @description An access token, and how long it is valid. */
    readonly TokenResponse: {
      /** @description The access token: a JWT (RFC 9068) that you send as it is. */
      readonly access_token: string;
      /**
       * @description Always `Bearer`: send the token as `Authorization: Bearer …`.
       * @constant
       */
      readonly token_type: 'Bearer';
      /**
       * Format: int64
       * @description For how many seconds the token is valid. Reuse it, and get a new one a minute before.
       */
      readonly expires_in: number;
      /** @description The OAuth scopes of the token, separated by spaces, if the request named none. */
      readonly scope?: string;
    };
    /** @description A refusal in the format of RFC 6749, section 5.2. */
    readonly OAuthError: {
      /**
       * @description Code of the refusal, for programs.
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
      /** @description What happened, in a sentence for people. */
      readonly error_description: string;
    };
    /** @description Whether V2 accepts the token (RFC 7662). A text that is not a token of yours is only said to be inactive. */
    readonly Introspection:
      | {
          /**
           * @description False: V2 does not accept it.
           * @constant
           */
          readonly active: false;
        }
      | {
          /**
           * @description True: V2 accepts the token now.
           * @constant
           */
          readonly active: true;
          /** @description OAuth scopes, separated by spaces: nop2/read, nop2/write, nop2/webhook. */
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
          /** @description The subject of the token: the same client. */
          readonly sub: string;
          /** @description The address of the API that the token is for. */
          readonly aud: string;
          /** @description The address of the token service that issued it. */
          readonly iss: string;
          /** @description The id of this token, for logs. No two tokens share one. */
          readonly jti: string;
        };
    /** @description The facts of a secret that was created before. It is not shown again. */
    readonly RepeatedSecret: {
      /** @description Your client id. It stays the same. */
      readonly client_id: string;
      /**
       * @description Always 0, which in RFC 7591 means that the new secret does not expire.
       * @constant
       */
      readonly client_secret_expires_at: 0;
      /** @description ID of the new secret, as in `GET /api/v2/partner`. */
      readonly secret_id: string;
      /** @description ID of the secret that you authenticated with. */
      readonly former_secret_id: string;
      /**
       * Format: int64
       * @description When that secret ends: Unix timestamp, seconds.
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
      /** @description ID of the new secret, as in `GET /api/v2/partner`. */
      readonly secret_id: string;
      /** @description ID of the secret that you authenticated with. */
      readonly former_secret_id: string;
      /**
       * Format: int64
       * @description When that secret ends: Unix timestamp, seconds.
       */
      readonly former_secret_expires_at: number;
      /** @description The new client secret. It is shown only once: store it now. */
      readonly client_secret: string;
    };
    /** @description The public keys that verify access tokens (RFC 7517). */
    readonly KeySet: {
      /** @description Every key that can have signed a valid token. Keys change: read them again if a `kid` is unknown. */
      readonly keys: readonly {
        /**
         * @description Type of the key: always RSA.
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
       * @description Address of the token service, as in `iss` of tokens.
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
      /** @description The only grant type is client credentials. */
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
    /** @description The API that access tokens are for, and who issues them (RFC 9728). */
    readonly ProtectedResource: {
      /**
       * Format: uri
       * @description Address of the API that tokens are for.
       */
      readonly resource: string;
      /** @description Who issues its tokens: only the token service. */
      readonly authorization_servers: readonly string[];
      /** @description Every OAuth scope that a token may have. */
      readonly scopes_supported: readonly ('nop2/read' | 'nop2/write' | 'nop2/webhook')[];
      /** @description How to send a token: only in the header `Authorization`. */
      readonly bearer_methods_supported: readonly 'header'[];
    };
    /** @description One page of transactions, oldest first. */
    readonly TransactionList: {
      /**
       * @description All names that `expand` accepts, separated by commas.
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
    /** @description A transaction with its own properties, and the elements that `expand` names. An element that it does not have is null; without payments, `payments` is an empty list. */
    readonly Transaction: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description 0 = incomplete, 1 = complete: a payment completed it.
       * @enum {integer}
       */
      readonly status: 0 | 1;
      /** @description Whether the checkout can still change it: false after a payment has completed it. */
      readonly editable: boolean;
      /**
       * @description 0 = it exists, 1 = it is deleted. Only the event and the answer of the deletion have 1, because reads no longer find it.
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
      /** @description Id of a document that belongs to the transaction. Null if there is none. */
      readonly document_id: string | null;
      /** @description The name of a payment method: `finance`. Empty if none is chosen. */
      readonly preselectedPaymentMethod: string;
      /** @description Address of the page that the buyer came from. Empty if none is known. */
      readonly referrerUrl: string;
      /** @description The email address of a buyer who has not signed in. Null if none was entered. */
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
    /** @description A transaction narrowed by `fields`: other members are absent. */
    readonly SelectedTransaction: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid?: string;
      /**
       * @description 0 = incomplete, 1 = complete: a payment completed it.
       * @enum {integer}
       */
      readonly status?: 0 | 1;
      /** @description Whether the checkout can still change it: false after a payment has completed it. */
      readonly editable?: boolean;
      /**
       * @description 0 = it exists, 1 = it is deleted. Only the event and the answer of the deletion have 1, because reads no longer find it.
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
      /** @description Id of a document that belongs to the transaction. Null if there is none. */
      readonly document_id?: string | null;
      /** @description The name of a payment method: `finance`. Empty if none is chosen. */
      readonly preselectedPaymentMethod?: string;
      /** @description Address of the page that the buyer came from. Empty if none is known. */
      readonly referrerUrl?: string;
      /** @description The email address of a buyer who has not signed in. Null if none was entered. */
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
      /** @description The dealer group that owns the transaction, as an opaque hash. */
      readonly group?: string;
      /** @description The franchise within the group, as an opaque hash. */
      readonly franchise?: string;
      /** @description The name of the branch, for people: `Meridian Bristol`. */
      readonly branch?: string;
      /** @description The location of the branch, as an opaque hash. A partner may be granted single locations. */
      readonly location?: string;
      /** @description The software of the group, as an opaque hash; empty if unknown. */
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
      /** @description Position of the method among those that the shop offers. */
      readonly order?: number | null;
      /** @description Price for the buyer, as decimal text: `"99.00"`. */
      readonly price?: string | null;
      /** @description 40 hexadecimal characters. How they are computed is not specified. */
      readonly hash?: string | null;
      /** @description The day that the buyer asked for: `YYYY-MM-DD`. */
      readonly preferred_date?: string | null;
      /** @description The day that the vehicle is handed over: `YYYY-MM-DD`. */
      readonly delivery_date?: string | null;
      /** @description Progress of the delivery, in the words of the shop: `booked`. There is no fixed list of values. */
      readonly delivery_status?: string | null;
      /** @description The first day that the buyer may choose: `YYYY-MM-DD`. */
      readonly minDate?: string | null;
      /** @description The last day that the buyer may choose: `YYYY-MM-DD`. */
      readonly maxDate?: string | null;
      /** @description The kind of delivery, as a whole number. What each number means is not specified. */
      readonly type?: number | null;
      /** @description Unit of distances or amounts: `miles`. Any JSON value; its form is not specified. */
      readonly units?: unknown;
      /** @description Price before adjustments, as decimal text: `"99.00"`. */
      readonly originalPrice?: string | null;
    };
    /** @description A payment narrowed by `fields`. */
    readonly SelectedPaymentRecord: {
      /**
       * Format: int64
       * @description Number of this payment. No other payment ever has it.
       */
      readonly id?: number;
      /**
       * Format: int64
       * @description The numeric id of the owning transaction. Addresses and filters take its `uuid` instead.
       */
      readonly transaction_id?: number;
      /** @description 40 hexadecimal characters, created with the record. */
      readonly hash?: string;
      /** @description Payment-method token from a card processor. Null if there is none, or if you may not see it. */
      readonly token?: string | null;
      /** @description The reference of whoever recorded the payment; `No reference given` if there is none. */
      readonly reference?: string;
      /** @description References of the payment provider. Any JSON value; its form is not specified. */
      readonly provider_references?: unknown;
      /**
       * Format: int64
       * @description Kind of payment. Values seen: 0, 1, 8. What each of them means is not specified.
       */
      readonly type?: number;
      /** @description What was paid for. Value seen: `PAY`. */
      readonly product_identifier?: string;
      /** @description Amount, as decimal text with two decimals: `"99.00"`. The currency is not specified. */
      readonly value?: string;
      /**
       * @description Values seen: 0, 1. A payment that is recorded with 1 completes an incomplete transaction. What else they mean is not specified.
       * @enum {integer}
       */
      readonly status?: 0 | 1;
      /** @description What the payment provider said: `Insufficient funds`. Null if it said nothing. */
      readonly message?: string | null;
      /** @description 1 marks the selected payment of the transaction. */
      readonly is_selected?: number | null;
      /** @description Settings of the payment. Any JSON value; its form is not specified. */
      readonly settings?: unknown;
      /** @description For a card payment, an object with `type`, `brand`, `method`, `funding`; for any other, a text: `Bank transfer`. */
      readonly details?:
        | (
            | string
            | {
                readonly [key: string]: unknown;
              }
          )
        | null;
      /** @description When this payment completed the transaction, in UTC: `YYYY-MM-DD HH:MM:SS`. Null if it did not. */
      readonly transaction_completed_at?: string | null;
      /**
       * Format: int64
       * @description When the record was created: Unix timestamp, seconds.
       */
      readonly created_at?: number;
      /** @description Name of the operation that created the record, as `<version>/<resource>/<action>`: `v2/payment/create`. */
      readonly created_by?: string;
      /**
       * Format: int64
       * @description When the record was last changed: Unix timestamp, seconds.
       */
      readonly updated_at?: number;
      /** @description Name of the operation that last changed the record, in the format of `created_by`. */
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
      /** @description The page after, on every page but the last. Following it repeats and skips nothing. */
      readonly next?: {
        /**
         * Format: uri
         * @description The absolute address to follow, as it is.
         */
        readonly href: string;
      };
    };
    /** @description Totals of the list. */
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
    /** @description One page of events, newest first. */
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
      /** @description Size of a page. There are no totals. */
      readonly _meta: {
        /**
         * Format: int64
         * @description How many events a full page holds.
         */
        readonly perPage: number;
      };
    };
    /** @description A sending to your endpoint, or what is still to be sent. */
    readonly Event: {
      /** @description Id of the event. Its message has the same one. Null where it is made when it is sent. */
      readonly id: string | null;
      /**
       * @description The type of event: a change, a completion, or a test of your webhook.
       * @enum {string}
       */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction of the event; null for a test. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description The event covers the changes after this version of the transaction, up to and including `toVersion`.
       */
      readonly fromVersion: number;
      /** @description The last version of the transaction that the event covers. Null while an update waits: it will be the present one. */
      readonly toVersion: number | null;
      /** @description When it was sent, failed or was withheld; null while it waits. ISO 8601, UTC. */
      readonly at: string | null;
      /**
       * @description What became of it.
       * @enum {string}
       */
      readonly state: 'sent' | 'failed' | 'waiting' | 'withheld';
      /** @description Code of the reason: `HTTP_503`, `TIMEOUT`. Null if there is none. */
      readonly reason: string | null;
      /** @description The state and the reason as sentences. */
      readonly meaning: string;
      /** @description When it is sent next. Null if nothing is planned: then it is sent with the next event of the transaction, when your webhook is on again, or when you replay what failed. ISO 8601, UTC. */
      readonly nextAttemptAt: string | null;
      /** @description When it ends without being sent. Null if it does not. ISO 8601, UTC. */
      readonly keptUntil: string | null;
    };
    /** @description The times between which events are replayed. */
    readonly ReplayAnswer: {
      /** @description The time in your request; null for what failed. */
      readonly since: string | null;
      /**
       * Format: date-time
       * @description What is sent after this time is not part of the replay.
       */
      readonly until: string;
    };
    /** @description A test that is about to be sent. */
    readonly WebhookTestAnswer: {
      /**
       * Format: uuid
       * @description Id of the event. Its message has the same one.
       */
      readonly id: string;
      /**
       * @description The type of message.
       * @constant
       */
      readonly type: 'WebhookTest';
      /**
       * @description It is about to be sent.
       * @constant
       */
      readonly state: 'waiting';
      /** @description Where the result is. */
      readonly _links: {
        /** @description Your events; the newest test shows what became of it. */
        readonly events: {
          /**
           * Format: uri
           * @description The absolute address to follow, as it is.
           */
          readonly href: string;
        };
      };
    };
    /** @description Your own record. */
    readonly Partner: {
      /** @description The name that your operator registered you by. */
      readonly name: string;
      /** @description Every OAuth scope that your tokens may have. */
      readonly oauthScopes: readonly ('nop2/read' | 'nop2/write' | 'nop2/webhook')[];
      /** @description Which transactions you may see: those of any of these grants. */
      readonly grants: readonly {
        /** @description The group whose transactions you may see, as an opaque hash. */
        readonly group: string;
        /** @description Only transactions of this franchise; absent for all of them. */
        readonly franchise?: string;
        /** @description Only transactions of this location; absent for all of them. */
        readonly location?: string;
        /** @description Names of the branches within the grant, 20 at most. */
        readonly branches: readonly string[];
        /**
         * Format: int64
         * @description How many branches are within the grant.
         */
        readonly branchCount: number;
      }[];
      /** @description Limits of your requests. */
      readonly limits: {
        /** @description Sizes of pages. */
        readonly perPage: {
          /**
           * Format: int64
           * @description How many records a page holds by default.
           */
          readonly default: number;
          /**
           * Format: int64
           * @description How many records a page holds at most.
           */
          readonly maximum: number;
        };
        /** @description Sizes of queries. */
        readonly queryParameters: {
          /**
           * Format: int64
           * @description How many query parameters a request may have.
           */
          readonly maximum: number;
          /**
           * Format: int64
           * @description How many levels of brackets the name of a parameter may have.
           */
          readonly levels: number;
        };
        /** @description Your rate limits, as in the header `RateLimit-Policy`. */
        readonly requests: readonly {
          /** @description Name of the limit: `partner` counts all your requests. */
          readonly name: string;
          /**
           * Format: int64
           * @description How many such requests you may make in a window.
           */
          readonly quota: number;
          /**
           * Format: int64
           * @description Length of a window in seconds. Windows begin at multiples of it since 1970.
           */
          readonly windowSeconds: number;
        }[];
      };
      /** @description Every client secret that works now. */
      readonly secrets: readonly {
        /** @description ID of the secret, for you and your operator. */
        readonly id: string;
        /**
         * Format: date-time
         * @description When it was created: ISO 8601, UTC.
         */
        readonly createdAt: string;
        /**
         * Format: int64
         * @description How many whole days ago that was.
         */
        readonly ageDays: number;
        /** @description The last day on which it was used for a token. Null if never. */
        readonly lastUsedOn: string | null;
        /** @description When it stops working: ISO 8601, UTC. Null if it does not. */
        readonly expiresAt: string | null;
      }[];
      /** @description Your webhook. Only the host of its address is shown, since the rest can contain a secret. */
      readonly webhook: {
        /**
         * @description `off`: no address. `verifying`: the address is being checked. `on`: events are sent. `paused`: events are kept until the webhook is resumed. `failing`: see `reason`.
         * @enum {string}
         */
        readonly state: 'off' | 'verifying' | 'on' | 'paused' | 'failing';
        /** @description Since when it is in this state: ISO 8601, UTC. Null if that is not known. */
        readonly since: string | null;
        /** @description Why it is failing: `TIMEOUT`, `DNS`, `NO_CONNECTION`, `REDIRECT`, `ADDRESS_NOT_PUBLIC`, `ANSWER_TOO_LARGE`, `HTTP_500` and so on, or `OTHER`. Others can be added. */
        readonly reason: string | null;
        /** @description Who paused it. Only your operator can resume what your operator paused. */
        readonly pausedBy: ('operator' | 'partner') | null;
        /** @description The host in the address of your webhook; null if there is none. */
        readonly host: string | null;
        /** @description The last failure among your newest 100 events. */
        readonly lastFailure: {
          /**
           * Format: uuid
           * @description The id of that event, as in `GET /api/v2/event?filter[state]=failed`.
           */
          readonly event: string;
          /**
           * Format: date-time
           * @description When the delivery gave up: ISO 8601, UTC.
           */
          readonly at: string;
          /** @description Code of the reason: `HTTP_503`, `TIMEOUT`. */
          readonly reason: string;
          /** @description The HTTP status that your endpoint answered; null if there was no answer. */
          readonly status: number | null;
        } | null;
        /** @description Age of the present value of `X-Webhook-Signature`. */
        readonly signature: {
          /**
           * Format: date-time
           * @description When it was created: ISO 8601, UTC.
           */
          readonly createdAt: string;
          /**
           * Format: int64
           * @description How many whole days ago that was.
           */
          readonly ageDays: number;
        };
        /** @description Age of the next value, which no message carries until you switch to it. Null if there is none. */
        readonly nextSignature: {
          /**
           * Format: date-time
           * @description When it was created: ISO 8601, UTC.
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
    /** @description The address of your webhook and its state. */
    readonly Webhook: {
      /** @description The address that was set last; null if there is none. */
      readonly url: string | null;
      /**
       * @description `off`: no address. `verifying`: the address is being checked. `on`: events are sent. `paused`: events are kept until the webhook is resumed. `failing`: see `reason`.
       * @enum {string}
       */
      readonly state: 'off' | 'verifying' | 'on' | 'paused' | 'failing';
      /** @description Since when it is in this state: ISO 8601, UTC. Null if that is not known. */
      readonly since: string | null;
      /** @description Why it is failing: `TIMEOUT`, `DNS`, `NO_CONNECTION`, `REDIRECT`, `ADDRESS_NOT_PUBLIC`, `ANSWER_TOO_LARGE`, `HTTP_500` and so on, or `OTHER`. Others can be added. */
      readonly reason: string | null;
      /** @description Who paused it. Only your operator can resume what your operator paused. */
      readonly pausedBy: ('operator' | 'partner') | null;
      /** @description The address that events go to now: the former one until a new one has passed its check. */
      readonly servedUrl: string | null;
      /** @description Age of the present value of `X-Webhook-Signature`. */
      readonly signature: {
        /**
         * Format: date-time
         * @description When it was created: ISO 8601, UTC.
         */
        readonly createdAt: string;
        /**
         * Format: int64
         * @description How many whole days ago that was.
         */
        readonly ageDays: number;
      };
      /** @description Age of the next value, which no message carries until you switch to it. Null if there is none. */
      readonly nextSignature: {
        /**
         * Format: date-time
         * @description When it was created: ISO 8601, UTC.
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
    /** @description The webhook after the change. Without `nop2/read`, only its links. */
    readonly ChangedWebhook: components['schemas']['Webhook'] | components['schemas']['WebhookReference'];
    /** @description The address of the webhook resource. */
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
    /** @description The facts of a next value that was created before. It is not shown again. */
    readonly RepeatedSignature: {
      /**
       * Format: date-time
       * @description When the next value was created: ISO 8601, UTC.
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
      /** @description The next value. It is shown only once: store it now. */
      readonly signature: string;
      /**
       * Format: date-time
       * @description When the next value was created: ISO 8601, UTC.
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
    /** @description A token of the session of a buyer who signed in (RFC 8693). */
    readonly SessionGrant: {
      /** @description The token of the buyer’s session. */
      readonly access_token: string;
      /**
       * @description Always this value: `access_token` is an access token.
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
