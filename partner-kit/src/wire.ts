// Made by `npm run openapi` of docs/openapi.json, which is made of the schemas that the service validates with.
// Do not edit.

export interface paths {
  readonly '/openapi.json': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read this description
     * @description This document: every operation, parameter, answer, problem and webhook.
     */
    readonly get: operations['getDescription'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/docs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the documentation
     * @description Where the guides and the reference begin.
     */
    readonly get: operations['getDocs'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/docs/{page}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a page of the documentation
     * @description A guide, or the reference; with `.md` behind its name, a guide as Markdown; `collection.json` and `api-changelog.json`.
     */
    readonly get: operations['getDocsPage'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/llms.txt': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read an overview for tools
     * @description What the service is, and the addresses of its guides and descriptions, in Markdown.
     */
    readonly get: operations['getOverviewForTools'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/.well-known/api-catalog': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the API catalogue
     * @description RFC 9727: the addresses of the API and of what describes it.
     */
    readonly get: operations['getApiCatalog'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth2/token': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Get an access token
     * @description Exchanges the client id and secret for an access token. Keep it for `expires_in` seconds.
     */
    readonly post: operations['issueToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth2/introspect': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Ask whether a token counts
     * @description RFC 7662. Tells of the client’s own tokens; any other text is inactive.
     */
    readonly post: operations['introspectToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth2/revoke': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * End a token
     * @description RFC 7009. The token ends within seconds; what is no token is as good as ended.
     */
    readonly post: operations['revokeToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/oauth2/jwks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the public keys
     * @description What verifies access tokens. The service does that itself; you need them only to look into a token.
     */
    readonly get: operations['getKeySet'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/.well-known/oauth-authorization-server': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read the token service’s metadata
     * @description RFC 8414: endpoints and what they take, for libraries that configure themselves.
     */
    readonly get: operations['getAuthorizationServer'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/.well-known/oauth-protected-resource/api/v2': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read what tokens are for
     * @description RFC 9728: the API that tokens open, and who issues them. Every 401 of V2 names this address.
     */
    readonly get: operations['getProtectedResource'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v2/transaction': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List transactions
     * @description The transactions within your grants, oldest first. Filters, `expand` and `fields` may be used alone or together. Follow `_links.next` to read on.
     */
    readonly get: operations['listTransactions'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v2/transaction/{uuid}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a transaction
     * @description One transaction within your grants. Unknown, deleted and out of your grants are the same 404.
     */
    readonly get: operations['getTransaction'];
    /**
     * Replace elements of a transaction
     * @description Replaces the elements that the body names, each as a whole, and leaves the others.
     */
    readonly put: operations['replaceElements'];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Change a transaction
     * @description A JSON merge patch (RFC 7396): objects are merged, `null` removes a member or an element, lists are replaced. A write that changes nothing is no change, and nobody is told of it.
     */
    readonly patch: operations['updateTransaction'];
    readonly trace?: never;
  };
  readonly '/api/v2/payment': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Record a payment
     * @description Records a payment of a transaction within your grants. With `status` 1 on an incomplete transaction it completes it, and TransactionCompleted is sent at once. Send an `Idempotency-Key`: then trying again never records it twice.
     */
    readonly post: operations['createPayment'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v2/event': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List events
     * @description What was and is being sent to your webhook, newest first, for 30 days: events of transactions that you may read now. Follow `_links.next` for older ones.
     */
    readonly get: operations['listEvents'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v2/event/{id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read an event
     * @description One event with its timeline and the message to the byte. Unknown and not yours are the same 404.
     */
    readonly get: operations['getEvent'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v2/event/{id}/replay': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Have one event sent again
     * @description Sends it with its id and its bytes within ten seconds, even if newer ones were sent since: compare `newerVersion`. It is judged once more by your grants when it is sent.
     */
    readonly post: operations['replayEvent'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v2/event/replay': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Have everything since a time sent again
     * @description Sends one event for each transaction, with everything that changed since, so that no older state arrives last. A request looks at a hundred events, the oldest first: repeat it with `next` as its body until that is null.
     */
    readonly post: operations['replayEvents'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v2/webhook/test': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Have your webhook tested
     * @description Sends a WebhookTest the way every event takes, within ten seconds. What came of it stands at the address in `Location`.
     */
    readonly post: operations['testWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/v2/partner': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read your own record
     * @description Your name, OAuth scopes, grants and limits, the age of each secret, and the state of your webhook.
     */
    readonly get: operations['getPartner'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/transaction': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get or create the session’s transaction
     * @description Without a token: a new transaction for a new session, whose token is in `authentication-token`. With one: the newest incomplete transaction of the session, or a new one. With `uuid`: that transaction, if it is the session’s. With any `filter[…]`: a list of the session’s transactions.
     */
    readonly get: operations['getOrCreateTransaction'];
    readonly put?: never;
    /**
     * Create a transaction
     * @description A new transaction with what was entered so far, for the session or, without a token, for a new one.
     */
    readonly post: operations['createTransaction'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api/transaction/{uuid}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Read a transaction of the session
     * @description Without the session’s token it is 404: a uuid is never a password.
     */
    readonly get: operations['getOwnTransaction'];
    /**
     * Replace elements of a transaction of the session
     * @description Replaces the elements that the body names, each as a whole. A complete transaction is 409.
     */
    readonly put: operations['replaceOwnElements'];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    /**
     * Change a transaction of the session
     * @description A JSON merge patch (RFC 7396). A complete transaction is 409.
     */
    readonly patch: operations['updateOwnTransaction'];
    readonly trace?: never;
  };
}
export interface webhooks {
  readonly TransactionUpdated: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A transaction changed
     * @description Sent when the transaction has not been updated for two minutes, with everything that changed since the last one.
     */
    readonly post: operations['onTransactionUpdated'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly TransactionCompleted: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * A payment completed a transaction
     * @description Sent at once. It stands outside the chain of versions of TransactionUpdated.
     */
    readonly post: operations['onTransactionCompleted'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly WebhookTest: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Somebody asks whether you are there
     * @description Tells of no transaction. Check the signature and answer.
     */
    readonly post: operations['onWebhookTest'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export interface components {
  schemas: {
    /** @description RFC 6749, section 4.4.2. Without `scope` the token has all that the client may have. */
    readonly TokenRequest: {
      /** @constant */
      readonly grant_type: 'client_credentials';
      /** @description OAuth scopes with a space between them: nop2/read, nop2/write. */
      readonly scope?: string;
      /** @description Only where the client does not authenticate by `Authorization: Basic`. */
      readonly client_id?: string;
      /** @description With `client_id`. */
      readonly client_secret?: string;
    } & {
      readonly [key: string]: string;
    };
    /** @description A token of the client (RFC 7662, RFC 7009). */
    readonly TokenToJudge: {
      /** @description The access token. */
      readonly token: string;
      /** @description Not looked at: there is one type of token. */
      readonly token_type_hint?: string;
      /** @description Only where the client does not authenticate by `Authorization: Basic`. */
      readonly client_id?: string;
      /** @description With `client_id`. */
      readonly client_secret?: string;
    } & {
      readonly [key: string]: string;
    };
    /** @description What is written to a transaction. Members that are absent stay as they are; an element that is null is removed. Any other member is refused by name. */
    readonly TransactionChange: {
      readonly location?: string;
      readonly franchise?: string;
      /** @constant */
      readonly isDeleted?: 1;
      readonly priceAdjustment?: {
        readonly payment?: boolean;
        readonly priceRule?: boolean;
      };
      /** @enum {number} */
      readonly externalRedirect?: 0 | 1;
      readonly incentive?: boolean;
      readonly document_id?: string | null;
      readonly preselectedPaymentMethod?: string;
      readonly referrerUrl?: string;
      readonly guestEmail?: string | null;
      readonly vehicle?: components['schemas']['Vehicle'] | null;
      readonly extras?: components['schemas']['Extras'] | null;
      readonly deliveryCollection?: components['schemas']['DeliveryCollectionChange'] | null;
      readonly selectedPaymentMethod?: components['schemas']['SelectedPaymentMethod'] | null;
      readonly financeProposal?: components['schemas']['FinanceProposal'] | null;
      readonly valuation?: components['schemas']['Valuation'] | null;
      readonly customer?: components['schemas']['Customer'] | null;
      readonly financeDefaults?: components['schemas']['FinanceDefaults'] | null;
    };
    /** @description The vehicle being bought. `identifiers.ndstockid` and `identifiers.salesmasterid` feed the filters of lists. Members beyond these are kept as they were written. */
    readonly Vehicle: {
      readonly identifiers?:
        | ({
            readonly ndstockid?: string | null;
            readonly salesmasterid?: string | null;
            readonly registration?: string | null;
            readonly vin?: string | null;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
      readonly make?: string | null;
      readonly model?: string | null;
      readonly derivative?: string | null;
      readonly body?: string | null;
      readonly fuel?: string | null;
      readonly transmission?: string | null;
      readonly colour?: string | null;
      readonly doors?: number | null;
      readonly condition?: string | null;
      readonly mileage?: (number | string) | null;
      readonly price?: (number | string) | null;
      readonly isVatQualifying?: boolean | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description What is bought beside the vehicle: a list of extras, or an object of the checkout's own making. Members beyond these are kept as they were written. */
    readonly Extras:
      | readonly ({
          readonly name?: string | null;
          readonly category?: string | null;
          readonly price?: (number | string) | null;
          readonly quantity?: number | null;
        } & {
          readonly [key: string]: unknown;
        })[]
      | {
          readonly [key: string]: unknown;
        };
    /** @description Delivery or collection as it is written: any of its members, each of which may be null. */
    readonly DeliveryCollectionChange: {
      readonly is_default?: (0 | 1) | null;
      readonly is_live?: (0 | 1) | null;
      readonly lead_time?: number | null;
      readonly method?: string | null;
      readonly order?: number | null;
      readonly price?: string | null;
      readonly hash?: string | null;
      readonly preferred_date?: string | null;
      readonly delivery_date?: string | null;
      readonly delivery_status?: string | null;
      readonly minDate?: string | null;
      readonly maxDate?: string | null;
      readonly type?: number | null;
      readonly units?: unknown;
      readonly originalPrice?: string | null;
    };
    /** @description How the buyer wants to pay. Members beyond these are kept as they were written. */
    readonly SelectedPaymentMethod: {
      readonly name?: string | null;
      readonly label?: string | null;
      readonly product?: string | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description The finance that the buyer asks for. Members beyond these are kept as they were written. */
    readonly FinanceProposal: {
      readonly product?: string | null;
      readonly provider?: string | null;
      readonly status?: string | null;
      readonly cashPrice?: (number | string) | null;
      readonly deposit?: (number | string) | null;
      readonly partExchange?: (number | string) | null;
      readonly amountOfCredit?: (number | string) | null;
      readonly term?: number | null;
      readonly apr?: (number | string) | null;
      readonly monthlyPayment?: (number | string) | null;
      readonly finalPayment?: (number | string) | null;
      readonly annualMileage?: (number | string) | null;
      readonly excessMileageCharge?: (number | string) | null;
      readonly optionToPurchaseFee?: (number | string) | null;
      readonly totalPayable?: (number | string) | null;
      readonly totalChargeForCredit?: (number | string) | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description What the shop offers for the buyer's own vehicle. Members beyond these are kept as they were written. */
    readonly Valuation: {
      readonly registration?: string | null;
      readonly mileage?: (number | string) | null;
      readonly condition?: string | null;
      readonly value?: (number | string) | null;
      readonly outstandingFinance?: (number | string) | null;
      readonly equity?: (number | string) | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description The buyer. Members beyond these are kept as they were written. */
    readonly Customer: {
      readonly title?: string | null;
      readonly firstName?: string | null;
      readonly lastName?: string | null;
      readonly email?: string | null;
      readonly mobile?: string | null;
      readonly landline?: string | null;
      readonly address?:
        | ({
            readonly line1?: string | null;
            readonly line2?: string | null;
            readonly town?: string | null;
            readonly county?: string | null;
            readonly postcode?: string | null;
            readonly country?: string | null;
          } & {
            readonly [key: string]: unknown;
          })
        | null;
      readonly marketing?:
        | ({
            readonly email?: boolean | null;
            readonly sms?: boolean | null;
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
      readonly product?: string | null;
      readonly depositPercent?: (number | string) | null;
      readonly term?: number | null;
      readonly annualMileage?: (number | string) | null;
      readonly apr?: (number | string) | null;
    } & {
      readonly [key: string]: unknown;
    };
    /** @description A payment to record. The service writes the other members of the record; a body that has one of them is refused. */
    readonly NewPayment: {
      readonly transaction: string;
      /** Format: int64 */
      readonly type: number;
      readonly value: string;
      /** @enum {number} */
      readonly status: 0 | 1;
      readonly reference?: string | null;
      readonly product_identifier?: string | null;
      readonly message?: string | null;
      readonly token?: string | null;
      readonly settings?: unknown;
      readonly details?:
        | (
            | string
            | {
                readonly [key: string]: unknown;
              }
          )
        | null;
      readonly gateway_id?: number | null;
      readonly provider_references?: unknown;
    };
    /** @description What to send again: everything since a time, narrowed as a list of events is. */
    readonly NewReplay: {
      /** Format: date-time */
      readonly since: string;
      /** @enum {string} */
      readonly type?: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @enum {string} */
      readonly state?: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      readonly transaction?: string;
      readonly after?: string;
    };
    /** @description What a new transaction is given. Any other member is refused by name. */
    readonly NewTransaction: {
      readonly location?: string;
      readonly franchise?: string;
      readonly priceAdjustment?: {
        readonly payment?: boolean;
        readonly priceRule?: boolean;
      };
      /** @enum {number} */
      readonly externalRedirect?: 0 | 1;
      readonly incentive?: boolean;
      readonly document_id?: string | null;
      readonly preselectedPaymentMethod?: string;
      readonly referrerUrl?: string;
      readonly guestEmail?: string | null;
      readonly vehicle?: components['schemas']['Vehicle'] | null;
      readonly extras?: components['schemas']['Extras'] | null;
      readonly deliveryCollection?: components['schemas']['DeliveryCollectionChange'] | null;
      readonly selectedPaymentMethod?: components['schemas']['SelectedPaymentMethod'] | null;
      readonly financeProposal?: components['schemas']['FinanceProposal'] | null;
      readonly valuation?: components['schemas']['Valuation'] | null;
      readonly customer?: components['schemas']['Customer'] | null;
      readonly financeDefaults?: components['schemas']['FinanceDefaults'] | null;
    };
    /**
     * TransactionUpdated
     * @description Some property of the transaction changed; sent when it has not been updated for two minutes.
     */
    readonly TransactionUpdatedMessage: {
      /** @description Disregard. */
      readonly version: string;
      /**
       * Format: uuid
       * @description Message id; can be used to de-duplicate.
       */
      readonly id: string;
      /** @constant */
      readonly 'detail-type': 'TransactionUpdated';
      /** @description Environment-specific; check it to avoid mixing environments. */
      readonly source: string;
      /** @description Disregard. */
      readonly account: string;
      /** @description Time the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description Disregard. */
      readonly region: string;
      /** @description Disregard (empty). */
      readonly resources: readonly unknown[];
      readonly detail:
        | components['schemas']['TransactionUpdatedDetail']
        | components['schemas']['TransactionDeletedDetail'];
    };
    /** @description ndMeta, uuid and status, and the elements of the transaction that changed. */
    readonly TransactionUpdatedDetail: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description 0 = incomplete, 1 = complete.
       * @enum {number}
       */
      readonly status: 0 | 1;
      /** @description Who owns the transaction. */
      readonly ndMeta: components['schemas']['NdMeta'];
      /** @description The vehicle being bought. */
      readonly vehicle?: (components['schemas']['Vehicle'] | components['schemas']['ImportedElement']) | null;
      /** @description What is bought beside the vehicle. */
      readonly extras?: (components['schemas']['Extras'] | components['schemas']['ImportedElement']) | null;
      /** @description Delivery or collection. */
      readonly deliveryCollection?: components['schemas']['DeliveryCollection'] | null;
      /** @description The finance that the buyer asks for. */
      readonly financeProposal?:
        | (components['schemas']['FinanceProposal'] | components['schemas']['ImportedElement'])
        | null;
      /** @description What the shop offers for the buyer's own vehicle. */
      readonly valuation?:
        | (components['schemas']['Valuation'] | components['schemas']['ImportedElement'])
        | null;
      /** @description The buyer. */
      readonly customer?:
        | (components['schemas']['Customer'] | components['schemas']['ImportedElement'])
        | null;
      /** @description All payments of the transaction. */
      readonly payments?: readonly components['schemas']['PaymentRecord'][];
    };
    /** @description Who owns the transaction: one registered storefront of the estate. */
    readonly NdMeta: {
      /** @description Opaque hash. */
      readonly group: string;
      /** @description Opaque hash. */
      readonly franchise: string;
      /** @description A name. */
      readonly branch: string;
      /** @description Opaque hash. */
      readonly location: string;
      /** @description Opaque hash; empty where none is known. */
      readonly groupSoftware: string;
    };
    /** @description An element that another system exported and that was imported as it was: any object or list. What this API wrote has the shape beside it. */
    readonly ImportedElement: never;
    /** @description Delivery or collection, with every member; what is not known is null. */
    readonly DeliveryCollection: {
      readonly is_default: (0 | 1) | null;
      readonly is_live: (0 | 1) | null;
      readonly lead_time: number | null;
      readonly method: string | null;
      readonly order: number | null;
      /** @description Decimal, two decimals. */
      readonly price: string | null;
      /** @description 40 hexadecimal characters. */
      readonly hash: string | null;
      readonly preferred_date: string | null;
      readonly delivery_date: string | null;
      readonly delivery_status: string | null;
      readonly minDate: string | null;
      readonly maxDate: string | null;
      readonly type: number | null;
      readonly units: unknown;
      readonly originalPrice: string | null;
    };
    /** @description A payment, with every member; what is not known is null. */
    readonly PaymentRecord: {
      /** Format: int64 */
      readonly id: number;
      /** @description Numeric id of the owning transaction. */
      readonly transaction_id: number | null;
      /** @description 40 hexadecimal characters. */
      readonly hash: string | null;
      /** @description Payment-method token from a card processor, where the partner may see it. */
      readonly token: string | null;
      /** @description Free text; a placeholder text when none. */
      readonly reference: string | null;
      readonly provider_references: unknown;
      /**
       * Format: int64
       * @description Values seen: 0, 1, 8.
       */
      readonly type: number;
      /** @description Value seen: PAY. */
      readonly product_identifier: string | null;
      /** @description Decimal amount with two decimals. */
      readonly value: string;
      /**
       * @description Values seen: 0, 1.
       * @enum {number}
       */
      readonly status: 0 | 1;
      readonly message: string | null;
      /** @description 1 marks the selected payment. */
      readonly is_selected: number | null;
      readonly settings: unknown;
      /** @description For card payments an object with type, brand, method, funding; for other payments a descriptive text. */
      readonly details:
        | (
            | string
            | {
                readonly [key: string]: unknown;
              }
          )
        | null;
      /** @description Format YYYY-MM-DD HH:MM:SS. */
      readonly transaction_completed_at: string | null;
      /** @description Unix timestamp, seconds. */
      readonly created_at: number | null;
      /** @description Name of the operation that created the record. */
      readonly created_by: string | null;
      /** @description Unix timestamp, seconds. */
      readonly updated_at: number | null;
      /** @description Same shape as created_by. */
      readonly updated_by: string | null;
      readonly gateway_id: number | null;
    };
    /** @description ndMeta, uuid and status of a transaction that is deleted; no element, whatever else changed. */
    readonly TransactionDeletedDetail: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description 0 = incomplete, 1 = complete.
       * @enum {number}
       */
      readonly status: 0 | 1;
      /** @description Who owns the transaction. */
      readonly ndMeta: components['schemas']['NdMeta'];
      /**
       * @description The transaction is deleted.
       * @constant
       */
      readonly isDeleted: 1;
    };
    /**
     * TransactionCompleted
     * @description A payment moved the transaction to complete; sent at once.
     */
    readonly TransactionCompletedMessage: {
      /** @description Disregard. */
      readonly version: string;
      /**
       * Format: uuid
       * @description Message id; can be used to de-duplicate.
       */
      readonly id: string;
      /** @constant */
      readonly 'detail-type': 'TransactionCompleted';
      /** @description Environment-specific; check it to avoid mixing environments. */
      readonly source: string;
      /** @description Disregard. */
      readonly account: string;
      /** @description Time the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description Disregard. */
      readonly region: string;
      /** @description Disregard (empty). */
      readonly resources: readonly unknown[];
      readonly detail: components['schemas']['TransactionCompletedDetail'];
    };
    /** @description ndMeta, uuid and status, and the payments. */
    readonly TransactionCompletedDetail: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description 1 = complete.
       * @constant
       */
      readonly status: 1;
      /** @description Who owns the transaction. */
      readonly ndMeta: components['schemas']['NdMeta'];
      /** @description All payments of the transaction. */
      readonly payments?: readonly {
        /** Format: int64 */
        readonly id: number;
        /** @description Numeric id of the owning transaction. */
        readonly transaction_id: number | null;
        /** @description 40 hexadecimal characters. */
        readonly hash: string | null;
        /** @description Payment-method token from a card processor, where the partner may see it. */
        readonly token: string | null;
        /** @description Free text; a placeholder text when none. */
        readonly reference: string | null;
        readonly provider_references: unknown;
        /**
         * Format: int64
         * @description Values seen: 0, 1, 8.
         */
        readonly type: number;
        /** @description Value seen: PAY. */
        readonly product_identifier: string | null;
        /** @description Decimal amount with two decimals. */
        readonly value: string;
        /**
         * @description Values seen: 0, 1.
         * @enum {number}
         */
        readonly status: 0 | 1;
        readonly message: string | null;
        /** @description 1 marks the selected payment. */
        readonly is_selected: number | null;
        readonly settings: unknown;
        /** @description For card payments an object with type, brand, method, funding; for other payments a descriptive text. */
        readonly details:
          | (
              | string
              | {
                  readonly [key: string]: unknown;
                }
            )
          | null;
        /** @description Format YYYY-MM-DD HH:MM:SS. */
        readonly transaction_completed_at: string | null;
        /** @description Unix timestamp, seconds. */
        readonly created_at: number | null;
        /** @description Name of the operation that created the record. */
        readonly created_by: string | null;
        /** @description Unix timestamp, seconds. */
        readonly updated_at: number | null;
        /** @description Same shape as created_by. */
        readonly updated_by: string | null;
        readonly gateway_id: number | null;
      }[];
    };
    /**
     * WebhookTest
     * @description Tells of no transaction: asks whether the endpoint takes messages with the right signature alone.
     */
    readonly WebhookTestMessage: {
      /** @description Disregard. */
      readonly version: string;
      /**
       * Format: uuid
       * @description Message id; can be used to de-duplicate.
       */
      readonly id: string;
      /** @constant */
      readonly 'detail-type': 'WebhookTest';
      /** @description Environment-specific; check it to avoid mixing environments. */
      readonly source: string;
      /** @description Disregard. */
      readonly account: string;
      /** @description Time the message was published: ISO 8601, UTC. */
      readonly time: string;
      /** @description Disregard. */
      readonly region: string;
      /** @description Disregard (empty). */
      readonly resources: readonly unknown[];
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
      /** @description As `title`. */
      readonly name: string;
      /** @description As `detail`. */
      readonly message: string;
      /**
       * @description Always 0.
       * @constant
       */
      readonly code: 0;
      /** @description Quote it when you report the problem; it is `Request-Id` as well. */
      readonly requestId: string;
      /** @description With 422: each refused parameter or member. */
      readonly errors?: readonly components['schemas']['FieldError'][];
    };
    /** @description One refused parameter or member. */
    readonly FieldError: {
      /** @description The parameter or member as the caller wrote it: `filter[nope]`, `payments.0.value`. */
      readonly field: string;
      /** @description What is wrong with it. */
      readonly message: string;
    };
    /** @description A set of links (RFC 9264) to the API and to what describes it. */
    readonly ApiCatalog: {
      readonly linkset: readonly {
        /** Format: uri */
        readonly anchor: string;
        readonly item?: readonly {
          /** Format: uri */
          readonly href: string;
          readonly type?: string;
        }[];
        readonly 'service-desc'?: readonly {
          /** Format: uri */
          readonly href: string;
          readonly type?: string;
        }[];
        readonly 'service-doc'?: readonly {
          /** Format: uri */
          readonly href: string;
          readonly type?: string;
        }[];
        readonly 'service-meta'?: readonly {
          /** Format: uri */
          readonly href: string;
          readonly type?: string;
        }[];
      }[];
    };
    /** @description An access token. */
    readonly TokenResponse: {
      /** @description A JWT (RFC 9068). To you it is opaque: send it as it is. */
      readonly access_token: string;
      /** @constant */
      readonly token_type: 'Bearer';
      /**
       * Format: int64
       * @description Seconds. Keep the token for as long, then ask for another.
       */
      readonly expires_in: number;
      /** @description What the token has, where the request did not say. */
      readonly scope?: string;
    };
    /** @description A refusal in the words of RFC 6749, section 5.2. */
    readonly OAuthError: {
      /** @enum {string} */
      readonly error:
        | 'invalid_request'
        | 'invalid_client'
        | 'unauthorized_client'
        | 'unsupported_grant_type'
        | 'invalid_scope'
        | 'temporarily_unavailable'
        | 'server_error';
      /** @description What happened, in a sentence. */
      readonly error_description: string;
    };
    /** @description Whether V2 takes the token (RFC 7662). Of any text that is no token of the client, nothing but that it is inactive. */
    readonly Introspection:
      | {
          /** @constant */
          readonly active: false;
        }
      | {
          /** @constant */
          readonly active: true;
          /** @description OAuth scopes with a space between them: nop2/read, nop2/write. */
          readonly scope: string;
          readonly client_id: string;
          /** @constant */
          readonly token_type: 'Bearer';
          /**
           * Format: int64
           * @description Unix timestamp, seconds.
           */
          readonly exp: number;
          /**
           * Format: int64
           * @description Unix timestamp, seconds.
           */
          readonly iat: number;
          readonly sub: string;
          readonly aud: string;
          readonly iss: string;
          readonly jti: string;
        };
    /** @description The public keys that verify access tokens (RFC 7517). */
    readonly KeySet: {
      readonly keys: readonly {
        /** @constant */
        readonly kty: 'RSA';
        /** @constant */
        readonly use: 'sig';
        /** @constant */
        readonly alg: 'RS256';
        readonly kid: string;
        readonly n: string;
        readonly e: string;
      }[];
    };
    /** @description Metadata of the token service (RFC 8414). */
    readonly AuthorizationServer: {
      /** Format: uri */
      readonly issuer: string;
      /** Format: uri */
      readonly token_endpoint: string;
      /** Format: uri */
      readonly jwks_uri: string;
      readonly scopes_supported: readonly ('nop2/read' | 'nop2/write')[];
      readonly response_types_supported: readonly 'none'[];
      readonly grant_types_supported: readonly 'client_credentials'[];
      readonly token_endpoint_auth_methods_supported: readonly (
        | 'client_secret_basic'
        | 'client_secret_post'
      )[];
      /** Format: uri */
      readonly introspection_endpoint: string;
      readonly introspection_endpoint_auth_methods_supported: readonly (
        | 'client_secret_basic'
        | 'client_secret_post'
      )[];
      /** Format: uri */
      readonly revocation_endpoint: string;
      readonly revocation_endpoint_auth_methods_supported: readonly (
        | 'client_secret_basic'
        | 'client_secret_post'
      )[];
    };
    /** @description What access tokens are for, and who issues them (RFC 9728). */
    readonly ProtectedResource: {
      /** Format: uri */
      readonly resource: string;
      readonly authorization_servers: readonly string[];
      readonly scopes_supported: readonly ('nop2/read' | 'nop2/write')[];
      readonly bearer_methods_supported: readonly 'header'[];
    };
    /** @description One page of transactions, oldest first. */
    readonly TransactionList: {
      /**
       * @description All names that `expand` takes, joined by commas.
       * @constant
       */
      readonly _expand: 'vehicle,ndMeta,extras,deliveryCollection,selectedPaymentMethod,financeProposal,valuation,customer,payments,financeDefaults';
      readonly data: readonly (
        | components['schemas']['Transaction']
        | components['schemas']['SelectedTransaction']
      )[];
      readonly _links: components['schemas']['ListLinks'];
      readonly _meta: components['schemas']['ListMeta'];
    };
    /** @description A transaction: its own properties always, and the elements that `expand` names. An element that nothing was written to is null, payments an empty list. */
    readonly Transaction: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid: string;
      /**
       * @description 0 = incomplete, 1 = complete.
       * @enum {number}
       */
      readonly status: 0 | 1;
      /** @description False from the payment on that completed the transaction. */
      readonly editable: boolean;
      /**
       * @description 1 stands in the last event and the last answer of a transaction alone: reads do not find it any more.
       * @enum {number}
       */
      readonly isDeleted: 0 | 1;
      readonly priceAdjustment: {
        readonly payment: boolean;
        readonly priceRule: boolean;
      };
      /** @enum {number} */
      readonly externalRedirect: 0 | 1;
      readonly incentive: boolean;
      readonly document_id: string | null;
      /** @description The name of a payment method; empty where none is chosen. */
      readonly preselectedPaymentMethod: string;
      /** @description Address of the page that the buyer came from; empty where none is known. */
      readonly referrerUrl: string;
      readonly guestEmail: string | null;
      readonly vehicle?: (components['schemas']['Vehicle'] | components['schemas']['ImportedElement']) | null;
      readonly ndMeta?: components['schemas']['NdMeta'];
      readonly extras?: (components['schemas']['Extras'] | components['schemas']['ImportedElement']) | null;
      readonly deliveryCollection?: components['schemas']['DeliveryCollection'] | null;
      readonly selectedPaymentMethod?:
        | (components['schemas']['SelectedPaymentMethod'] | components['schemas']['ImportedElement'])
        | null;
      readonly financeProposal?:
        | (components['schemas']['FinanceProposal'] | components['schemas']['ImportedElement'])
        | null;
      readonly valuation?:
        | (components['schemas']['Valuation'] | components['schemas']['ImportedElement'])
        | null;
      readonly customer?:
        | (components['schemas']['Customer'] | components['schemas']['ImportedElement'])
        | null;
      readonly payments?: readonly components['schemas']['PaymentRecord'][];
      readonly financeDefaults?:
        | (components['schemas']['FinanceDefaults'] | components['schemas']['ImportedElement'])
        | null;
    };
    /** @description A transaction narrowed by `fields`: members that were not asked for are absent. */
    readonly SelectedTransaction: {
      /** @description Identifier of the transaction: a UUID, a hyphen, then a short code. */
      readonly uuid?: string;
      /**
       * @description 0 = incomplete, 1 = complete.
       * @enum {number}
       */
      readonly status?: 0 | 1;
      /** @description False from the payment on that completed the transaction. */
      readonly editable?: boolean;
      /**
       * @description 1 stands in the last event and the last answer of a transaction alone: reads do not find it any more.
       * @enum {number}
       */
      readonly isDeleted?: 0 | 1;
      readonly priceAdjustment?: {
        readonly payment?: boolean;
        readonly priceRule?: boolean;
      };
      /** @enum {number} */
      readonly externalRedirect?: 0 | 1;
      readonly incentive?: boolean;
      readonly document_id?: string | null;
      /** @description The name of a payment method; empty where none is chosen. */
      readonly preselectedPaymentMethod?: string;
      /** @description Address of the page that the buyer came from; empty where none is known. */
      readonly referrerUrl?: string;
      readonly guestEmail?: string | null;
      readonly vehicle?: (components['schemas']['Vehicle'] | components['schemas']['ImportedElement']) | null;
      readonly ndMeta?: components['schemas']['SelectedNdMeta'];
      readonly extras?: (components['schemas']['Extras'] | components['schemas']['ImportedElement']) | null;
      readonly deliveryCollection?: components['schemas']['SelectedDeliveryCollection'] | null;
      readonly selectedPaymentMethod?:
        | (components['schemas']['SelectedPaymentMethod'] | components['schemas']['ImportedElement'])
        | null;
      readonly financeProposal?:
        | (components['schemas']['FinanceProposal'] | components['schemas']['ImportedElement'])
        | null;
      readonly valuation?:
        | (components['schemas']['Valuation'] | components['schemas']['ImportedElement'])
        | null;
      readonly customer?:
        | (components['schemas']['Customer'] | components['schemas']['ImportedElement'])
        | null;
      readonly payments?: readonly components['schemas']['SelectedPaymentRecord'][];
      readonly financeDefaults?:
        | (components['schemas']['FinanceDefaults'] | components['schemas']['ImportedElement'])
        | null;
    };
    /** @description ndMeta narrowed by `fields`. */
    readonly SelectedNdMeta: {
      /** @description Opaque hash. */
      readonly group?: string;
      /** @description Opaque hash. */
      readonly franchise?: string;
      /** @description A name. */
      readonly branch?: string;
      /** @description Opaque hash. */
      readonly location?: string;
      /** @description Opaque hash; empty where none is known. */
      readonly groupSoftware?: string;
    };
    /** @description deliveryCollection narrowed by `fields`. */
    readonly SelectedDeliveryCollection: {
      readonly is_default?: (0 | 1) | null;
      readonly is_live?: (0 | 1) | null;
      readonly lead_time?: number | null;
      readonly method?: string | null;
      readonly order?: number | null;
      /** @description Decimal, two decimals. */
      readonly price?: string | null;
      /** @description 40 hexadecimal characters. */
      readonly hash?: string | null;
      readonly preferred_date?: string | null;
      readonly delivery_date?: string | null;
      readonly delivery_status?: string | null;
      readonly minDate?: string | null;
      readonly maxDate?: string | null;
      readonly type?: number | null;
      readonly units?: unknown;
      readonly originalPrice?: string | null;
    };
    /** @description A payment narrowed by `fields`. */
    readonly SelectedPaymentRecord: {
      /** Format: int64 */
      readonly id?: number;
      /** @description Numeric id of the owning transaction. */
      readonly transaction_id?: number | null;
      /** @description 40 hexadecimal characters. */
      readonly hash?: string | null;
      /** @description Payment-method token from a card processor, where the partner may see it. */
      readonly token?: string | null;
      /** @description Free text; a placeholder text when none. */
      readonly reference?: string | null;
      readonly provider_references?: unknown;
      /**
       * Format: int64
       * @description Values seen: 0, 1, 8.
       */
      readonly type?: number;
      /** @description Value seen: PAY. */
      readonly product_identifier?: string | null;
      /** @description Decimal amount with two decimals. */
      readonly value?: string;
      /**
       * @description Values seen: 0, 1.
       * @enum {number}
       */
      readonly status?: 0 | 1;
      readonly message?: string | null;
      /** @description 1 marks the selected payment. */
      readonly is_selected?: number | null;
      readonly settings?: unknown;
      /** @description For card payments an object with type, brand, method, funding; for other payments a descriptive text. */
      readonly details?:
        | (
            | string
            | {
                readonly [key: string]: unknown;
              }
          )
        | null;
      /** @description Format YYYY-MM-DD HH:MM:SS. */
      readonly transaction_completed_at?: string | null;
      /** @description Unix timestamp, seconds. */
      readonly created_at?: number | null;
      /** @description Name of the operation that created the record. */
      readonly created_by?: string | null;
      /** @description Unix timestamp, seconds. */
      readonly updated_at?: number | null;
      /** @description Same shape as created_by. */
      readonly updated_by?: string | null;
      readonly gateway_id?: number | null;
    };
    /** @description Absolute addresses of other pages, with every parameter of the request. */
    readonly ListLinks: {
      /** @description This page. */
      readonly self: {
        /** Format: uri */
        readonly href: string;
      };
      /** @description The first page. */
      readonly first: {
        /** Format: uri */
        readonly href: string;
      };
      /** @description The last page. */
      readonly last: {
        /** Format: uri */
        readonly href: string;
      };
      /** @description The page before, on every page but the first. */
      readonly prev?: {
        /** Format: uri */
        readonly href: string;
      };
      /** @description The page after, on every page but the last. Followed, it neither repeats nor skips what was there when this page was read. */
      readonly next?: {
        /** Format: uri */
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
      /** Format: int64 */
      readonly currentPage: number;
      /** Format: int64 */
      readonly perPage: number;
    };
    /** @description One page of events, newest first. Without totals. */
    readonly EventList: {
      readonly data: readonly components['schemas']['Event'][];
      readonly _links: {
        /** @description This page. */
        readonly self: {
          /** Format: uri */
          readonly href: string;
        };
        /** @description The newest page. */
        readonly first: {
          /** Format: uri */
          readonly href: string;
        };
        /** @description The page of older ones, if there are any. */
        readonly next?: {
          /** Format: uri */
          readonly href: string;
        };
      };
      readonly _meta: {
        /** Format: int64 */
        readonly perPage: number;
      };
    };
    /** @description A message that was or is being sent to you, and what became of it. */
    readonly Event: {
      /**
       * Format: uuid
       * @description Id of the event, and of its message.
       */
      readonly id: string;
      /** @enum {string} */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction that it tells of; null where it tells of none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description It tells of the versions of the transaction after this one,
       */
      readonly fromVersion: number;
      /**
       * Format: int64
       * @description up to and including this one.
       */
      readonly toVersion: number;
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly createdAt: string;
      /**
       * @description Where it is on its way to your endpoint.
       * @enum {string}
       */
      readonly state: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      /** @description Why it is there, by a word that stays the same: `HTTP_503`, `TIMEOUT`. */
      readonly reason: string | null;
      /** @description The state and the reason in a sentence. */
      readonly meaning: string;
      /** @description When it is tried again. */
      readonly nextAttemptAt: string | null;
    };
    /** @description An event with its timeline and its message. */
    readonly EventWithMessage: {
      /**
       * Format: uuid
       * @description Id of the event, and of its message.
       */
      readonly id: string;
      /** @enum {string} */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction that it tells of; null where it tells of none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description It tells of the versions of the transaction after this one,
       */
      readonly fromVersion: number;
      /**
       * Format: int64
       * @description up to and including this one.
       */
      readonly toVersion: number;
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly createdAt: string;
      /**
       * @description Where it is on its way to your endpoint.
       * @enum {string}
       */
      readonly state: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      /** @description Why it is there, by a word that stays the same: `HTTP_503`, `TIMEOUT`. */
      readonly reason: string | null;
      /** @description The state and the reason in a sentence. */
      readonly meaning: string;
      /** @description When it is tried again. */
      readonly nextAttemptAt: string | null;
      /** @description What happened to it, oldest first. */
      readonly timeline: readonly {
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly at: string;
        /** @enum {string} */
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
      /** @description What is sent; empty without `nop2/read`. */
      readonly data: readonly components['schemas']['ReplayedEvent'][];
      /** @description The body of the request that goes on; null at the end. */
      readonly next:
        | ({
            readonly since: string;
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
       * @description Id of the event, and of its message.
       */
      readonly id: string;
      /** @enum {string} */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      readonly transaction: string | null;
      /** Format: int64 */
      readonly fromVersion: number;
      /** Format: int64 */
      readonly toVersion: number;
      /**
       * @description `scheduled`: sent within ten seconds. `underway`: it was about to be sent anyway. `expired`: its message is not kept any more.
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
       * @description Id of the event, and of its message.
       */
      readonly id: string;
      /** @enum {string} */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction that it tells of; null where it tells of none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description It tells of the versions of the transaction after this one,
       */
      readonly fromVersion: number;
      /**
       * Format: int64
       * @description up to and including this one.
       */
      readonly toVersion: number;
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly createdAt: string;
      /**
       * @description Where it is on its way to your endpoint.
       * @enum {string}
       */
      readonly state: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      /** @description Why it is there, by a word that stays the same: `HTTP_503`, `TIMEOUT`. */
      readonly reason: string | null;
      /** @description The state and the reason in a sentence. */
      readonly meaning: string;
      /** @description When it is tried again. */
      readonly nextAttemptAt: string | null;
      readonly _links: {
        /** @description Where you see what came of it. */
        readonly self: {
          /** Format: uri */
          readonly href: string;
        };
      };
    };
    /** @description What the service knows of you. */
    readonly Partner: {
      readonly name: string;
      readonly oauthScopes: readonly ('nop2/read' | 'nop2/write')[];
      /** @description What you may see: the union of these. */
      readonly grants: readonly {
        readonly group: string;
        readonly franchise?: string;
        readonly location?: string;
        /** @description Names of branches that are registered within it, 20 at most. */
        readonly branches: readonly string[];
        /**
         * Format: int64
         * @description How many there are.
         */
        readonly branchCount: number;
      }[];
      /** @description What requests may ask for. */
      readonly limits: {
        readonly perPage: {
          /** Format: int64 */
          readonly default: number;
          /** Format: int64 */
          readonly maximum: number;
        };
        readonly queryParameters: {
          /** Format: int64 */
          readonly maximum: number;
          /**
           * Format: int64
           * @description Levels of brackets in a name.
           */
          readonly levels: number;
        };
        /** @description Quotas, as `RateLimit-Policy` tells them. */
        readonly requests: readonly {
          readonly name: string;
          /** Format: int64 */
          readonly quota: number;
          /** Format: int64 */
          readonly windowSeconds: number;
        }[];
      };
      readonly secrets: readonly {
        readonly id: string;
        /** @description The operator who made it. */
        readonly madeBy: string;
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly createdAt: string;
        /**
         * Format: int64
         * @description Whole days since then.
         */
        readonly ageDays: number;
        readonly lastUsedOn: string | null;
        readonly expiresAt: string | null;
      }[];
      /** @description Where events go; of the address the host alone, since the rest may hold a secret of yours. */
      readonly webhook: {
        /**
         * @description `none`: no endpoint. `paused`: events are kept until it is resumed. `stopped`: so are those of all partners.
         * @enum {string}
         */
        readonly state: 'none' | 'active' | 'paused' | 'stopped';
        /** @description The host of its address. */
        readonly host: string | null;
        /** @description The last event that your endpoint did not take, among the newest hundred. */
        readonly lastFailure: {
          /** Format: uuid */
          readonly event: string;
          /**
           * Format: date-time
           * @description ISO 8601, UTC.
           */
          readonly at: string;
          readonly reason: string;
          /** @description What your endpoint answered, where it did. */
          readonly status: number | null;
        } | null;
        /** @description The value of X-Webhook-Signature. */
        readonly signature: {
          /**
           * Format: date-time
           * @description ISO 8601, UTC.
           */
          readonly createdAt: string;
          /**
           * Format: int64
           * @description Whole days since then.
           */
          readonly ageDays: number;
        };
        readonly rotation: {
          /**
           * Format: date-time
           * @description ISO 8601, UTC.
           */
          readonly announcedAt: string;
        } | null;
      };
    };
  };
  responses: {
    /** @description Too many requests. Try again after the time in Retry-After. */
    readonly TooManyRequests: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description An internal error occurred. Quote the request id when you report it. */
    readonly InternalError: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The service did not answer in time. Try again after the time in Retry-After. */
    readonly GatewayTimeout: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The requested resource was not found. */
    readonly NotFound: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The parameter grant_type is missing. */
    readonly InvalidTokenRequest: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description Client authentication failed. */
    readonly InvalidClient: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description The body is larger than 8192 bytes. */
    readonly FormTooLarge: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description Too many requests. Try again after the time in Retry-After. */
    readonly TooManyWrongSecrets: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description An internal error occurred. Quote the Request-Id when you report it. */
    readonly OAuthFault: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description Try again after the time in Retry-After. */
    readonly OAuthUnavailable: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description The service did not answer in time. Try again after the time in Retry-After. */
    readonly OAuthTimeout: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description The parameter token is missing. */
    readonly MalformedTokenRequest: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description The parameter token is missing. */
    readonly NotRevoked: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description Too many requests. Try again after the time in Retry-After. */
    readonly TooManyOAuthRequests: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/json': components['schemas']['OAuthError'];
      };
    };
    /** @description Your request could not be understood. */
    readonly BadQuery: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Your request was made with invalid credentials. */
    readonly Unauthorized: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description You are not allowed to perform this action. */
    readonly LacksRead: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Some parameters are invalid; errors names each of them. */
    readonly InvalidFilters: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The service is not available at the moment. Try again after the time in Retry-After. */
    readonly Unavailable: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Your request could not be understood. */
    readonly BadBody: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description You are not allowed to perform this action. */
    readonly LacksWrite: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'WWW-Authenticate': components['headers']['WWW-Authenticate-for-scope'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The transaction is not in the version that If-Match names. */
    readonly PreconditionFailed: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The request is larger than the service takes. */
    readonly ContentTooLarge: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The body must be JSON, and Content-Type must say so. */
    readonly UnsupportedMediaType: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly Accept: components['headers']['Accept'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Some parameters are invalid; errors names each of them. */
    readonly InvalidMembers: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Your request could not be understood. */
    readonly TwoTokens: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Your request could not be understood. */
    readonly BadKey: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The request does not fit the present state of the transaction. */
    readonly NothingLeaves: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Some parameters are invalid; errors names each of them. */
    readonly UsedKey: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Too many requests. Try again after the time in Retry-After. */
    readonly OverQuota: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'Retry-After': components['headers']['Retry-After'];
        readonly RateLimit: components['headers']['RateLimit'];
        readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Your request could not be understood. */
    readonly BadQueryInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description You are not allowed to perform this action. */
    readonly NoStorefrontInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The requested resource was not found. */
    readonly NotFoundInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The request does not fit the present state of the transaction. */
    readonly ConflictInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Some parameters are invalid; errors names each of them. */
    readonly InvalidFiltersInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Your request could not be understood. */
    readonly BadBodyInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The request is larger than the service takes. */
    readonly ContentTooLargeInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The body must be JSON, and Content-Type must say so. */
    readonly UnsupportedMediaTypeInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly Accept: components['headers']['Accept'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description Some parameters are invalid; errors names each of them. */
    readonly InvalidMembersInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description The transaction is not in the version that If-Match names. */
    readonly PreconditionFailedInSession: {
      headers: {
        readonly 'Request-Id': components['headers']['Request-Id'];
        readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
        readonly 'authentication-token': components['headers']['authentication-token'];
        readonly [name: string]: unknown;
      };
      content: {
        readonly 'application/problem+json': components['schemas']['Problem'];
      };
    };
  };
  parameters: {
    /** @description Tags that you have: 304 if the answer would have one of them. */
    readonly 'If-None-Match': string;
    /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
    readonly 'X-Correlation-Id': string;
    /** @description The name of a page: `start`, `problems.md`, `collection.json`. */
    readonly 'docs.page': string;
    /** @description The transaction with this uuid. Filters hold together; each may stand once. */
    readonly 'filter.uuid': string;
    /** @description `1`: complete transactions, `0`: incomplete ones. Filters hold together; each may stand once. */
    readonly 'filter.status': '0' | '1';
    /** @description Transactions of the vehicle with this stock id. Filters hold together; each may stand once. */
    readonly 'filter.identifiers.ndstockid': string;
    /** @description Transactions of the vehicle with this external id. Filters hold together; each may stand once. */
    readonly 'filter.identifiers.salesmasterid': string;
    /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
    readonly expand: string;
    /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
    readonly fields: string;
    /** @description The page, from 1. What is no number counts as 1; a page past the end is empty. */
    readonly page: number;
    /** @description How many are on a page. More than 50 count as 50, what is no number as 10. */
    readonly 'per-page': number;
    /** @description From a `next` link: where the page before ended. One that does not fit the other parameters is ignored, and `page` counts. Do not make one yourself, follow the link. */
    readonly after: string;
    /** @description The uuid of the transaction. */
    readonly uuid: string;
    /** @description Write only if the transaction is in the version of this tag; otherwise 412. */
    readonly 'If-Match': string;
    /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
    readonly 'Idempotency-Key': string;
    /** @description Events of this type. */
    readonly 'filter.type': 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
    /** @description Events that are there on their way to you. */
    readonly 'filter.state': 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
    /** @description Events of the transaction with this uuid. */
    readonly 'filter.transaction': string;
    /** @description Events that were created at this time in UTC or later: `2026-11-22T12:00:00Z`. */
    readonly 'filter.since': string;
    /** @description From a `next` link: where the page before ended, among the events of the same filters. Any other text is 422; do not make one yourself, follow the link. */
    readonly 'event.after': string;
    /** @description The id of the event. */
    readonly 'event.id': string;
    /** @description One transaction of the session. */
    readonly 'uuid.query': string;
    /** @description The location that a new transaction is for, of a storefront registered for the request’s `Origin`. */
    readonly location: string;
    /** @description Its franchise, where it has several. */
    readonly franchise: string;
  };
  requestBodies: never;
  headers: {
    /** @description Id of the request; quote it when you report a problem. */
    readonly 'Request-Id': string;
    /** @description The request’s own `X-Correlation-Id`, where it was well formed. */
    readonly 'X-Correlation-Id': string;
    /** @description Tag of this representation: send it back in `If-None-Match` and get 304 while nothing changed, or in `If-Match` to write only if the transaction is still in this version. */
    readonly ETag: string;
    /** @description Whether and for how long the answer may be kept. */
    readonly 'Cache-Control': string;
    /** @description Seconds after which trying again may help. */
    readonly 'Retry-After': string;
    /** @description What is wrong with the credentials (RFC 6750). */
    readonly 'WWW-Authenticate': string;
    /** @description `_meta.totalCount` */
    readonly 'X-Pagination-Total-Count': string;
    /** @description `_meta.pageCount` */
    readonly 'X-Pagination-Page-Count': string;
    /** @description `_meta.currentPage` */
    readonly 'X-Pagination-Current-Page': string;
    /** @description `_meta.perPage` */
    readonly 'X-Pagination-Per-Page': string;
    /** @description The addresses of `_links`, each with its relation; left out where it would be longer than 8,000 bytes. */
    readonly Link: string;
    /** @description The answer was given to an earlier request with this `Idempotency-Key`; nothing was done now. */
    readonly 'Idempotency-Replayed': 'true';
    /** @description The OAuth scope that the token lacks, where it is that (RFC 6750). */
    readonly 'WWW-Authenticate-for-scope': string;
    /** @description The media types of a body. */
    readonly Accept: string;
    /** @description What is left of your quota (`r`) and after how many seconds more is (`t`): `"replay";r=59;t=600`. */
    readonly RateLimit: string;
    /** @description Your quota (`q`) in any so many seconds (`w`): `"replay";q=60;w=600`. */
    readonly 'RateLimit-Policy': string;
    /** @description Address of what was made. */
    readonly Location: string;
    /** @description The session’s token: send it as `Authorization: Bearer …` from now on. It may change from answer to answer; keep the last one. */
    readonly 'authentication-token': string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  readonly getDescription: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The document, with the addresses of this stage. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly openapi: string;
            readonly paths: {
              readonly [key: string]: unknown;
            };
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getDocs: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The document, with the addresses of this stage. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/html': string;
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getDocsPage: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The name of a page: `start`, `problems.md`, `collection.json`. */
        readonly page: components['parameters']['docs.page'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The document, with the addresses of this stage. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/html': string;
          readonly 'text/markdown': string;
          readonly 'application/json':
            | {
                readonly [key: string]: unknown;
              }
            | readonly {
                readonly [key: string]: unknown;
              }[];
          readonly 'text/javascript': string;
          readonly 'text/css': string;
          readonly 'image/svg+xml': string;
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 404: components['responses']['NotFound'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getOverviewForTools: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The document, with the addresses of this stage. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'text/plain': string;
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getApiCatalog: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The document, with the addresses of this stage. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/linkset+json': components['schemas']['ApiCatalog'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly issueToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/x-www-form-urlencoded': components['schemas']['TokenRequest'];
      };
    };
    readonly responses: {
      /** @description The token. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TokenResponse'];
        };
      };
      readonly 400: components['responses']['InvalidTokenRequest'];
      readonly 401: components['responses']['InvalidClient'];
      readonly 413: components['responses']['FormTooLarge'];
      readonly 429: components['responses']['TooManyWrongSecrets'];
      readonly 500: components['responses']['OAuthFault'];
      readonly 503: components['responses']['OAuthUnavailable'];
      readonly 504: components['responses']['OAuthTimeout'];
    };
  };
  readonly introspectToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/x-www-form-urlencoded': components['schemas']['TokenToJudge'];
      };
    };
    readonly responses: {
      /** @description What is known of it. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Introspection'];
        };
      };
      readonly 400: components['responses']['MalformedTokenRequest'];
      readonly 401: components['responses']['InvalidClient'];
      readonly 413: components['responses']['FormTooLarge'];
      readonly 429: components['responses']['TooManyWrongSecrets'];
      readonly 500: components['responses']['OAuthFault'];
      readonly 503: components['responses']['OAuthUnavailable'];
      readonly 504: components['responses']['OAuthTimeout'];
    };
  };
  readonly revokeToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/x-www-form-urlencoded': components['schemas']['TokenToJudge'];
      };
    };
    readonly responses: {
      /** @description The token does not count any more. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['NotRevoked'];
      readonly 401: components['responses']['InvalidClient'];
      readonly 413: components['responses']['FormTooLarge'];
      readonly 429: components['responses']['TooManyWrongSecrets'];
      readonly 500: components['responses']['OAuthFault'];
      readonly 503: components['responses']['OAuthUnavailable'];
      readonly 504: components['responses']['OAuthTimeout'];
    };
  };
  readonly getKeySet: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The document, which may be kept for as long as `Cache-Control` says. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['KeySet'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 429: components['responses']['TooManyOAuthRequests'];
      readonly 500: components['responses']['OAuthFault'];
      readonly 503: components['responses']['OAuthUnavailable'];
      readonly 504: components['responses']['OAuthTimeout'];
    };
  };
  readonly getAuthorizationServer: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The document, which may be kept for as long as `Cache-Control` says. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['AuthorizationServer'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 429: components['responses']['TooManyOAuthRequests'];
      readonly 500: components['responses']['OAuthFault'];
      readonly 503: components['responses']['OAuthUnavailable'];
      readonly 504: components['responses']['OAuthTimeout'];
    };
  };
  readonly getProtectedResource: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The document, which may be kept for as long as `Cache-Control` says. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ProtectedResource'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 429: components['responses']['TooManyOAuthRequests'];
      readonly 500: components['responses']['OAuthFault'];
      readonly 503: components['responses']['OAuthUnavailable'];
      readonly 504: components['responses']['OAuthTimeout'];
    };
  };
  readonly listTransactions: {
    readonly parameters: {
      readonly query?: {
        /** @description The transaction with this uuid. Filters hold together; each may stand once. */
        readonly 'filter[uuid]'?: components['parameters']['filter.uuid'];
        /** @description `1`: complete transactions, `0`: incomplete ones. Filters hold together; each may stand once. */
        readonly 'filter[status]'?: components['parameters']['filter.status'];
        /** @description Transactions of the vehicle with this stock id. Filters hold together; each may stand once. */
        readonly 'filter[identifiers][ndstockid]'?: components['parameters']['filter.identifiers.ndstockid'];
        /** @description Transactions of the vehicle with this external id. Filters hold together; each may stand once. */
        readonly 'filter[identifiers][salesmasterid]'?: components['parameters']['filter.identifiers.salesmasterid'];
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
        /** @description The page, from 1. What is no number counts as 1; a page past the end is empty. */
        readonly page?: components['parameters']['page'];
        /** @description How many are on a page. More than 50 count as 50, what is no number as 10. */
        readonly 'per-page'?: components['parameters']['per-page'];
        /** @description From a `next` link: where the page before ended. One that does not fit the other parameters is ignored, and `page` counts. Do not make one yourself, follow the link. */
        readonly after?: components['parameters']['after'];
      };
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description One page. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Pagination-Total-Count': components['headers']['X-Pagination-Total-Count'];
          readonly 'X-Pagination-Page-Count': components['headers']['X-Pagination-Page-Count'];
          readonly 'X-Pagination-Current-Page': components['headers']['X-Pagination-Current-Page'];
          readonly 'X-Pagination-Per-Page': components['headers']['X-Pagination-Per-Page'];
          readonly Link: components['headers']['Link'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TransactionList'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Pagination-Total-Count': components['headers']['X-Pagination-Total-Count'];
          readonly 'X-Pagination-Page-Count': components['headers']['X-Pagination-Page-Count'];
          readonly 'X-Pagination-Current-Page': components['headers']['X-Pagination-Current-Page'];
          readonly 'X-Pagination-Per-Page': components['headers']['X-Pagination-Per-Page'];
          readonly Link: components['headers']['Link'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadQuery'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksRead'];
      readonly 422: components['responses']['InvalidFilters'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getTransaction: {
    readonly parameters: {
      readonly query?: {
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
      };
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The uuid of the transaction. */
        readonly uuid: components['parameters']['uuid'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The transaction. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | components['schemas']['Transaction']
            | components['schemas']['SelectedTransaction'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadQuery'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksRead'];
      readonly 404: components['responses']['NotFound'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly replaceElements: {
    readonly parameters: {
      readonly query?: {
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
      };
      readonly header?: {
        /** @description Write only if the transaction is in the version of this tag; otherwise 412. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The uuid of the transaction. */
        readonly uuid: components['parameters']['uuid'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['TransactionChange'];
      };
    };
    readonly responses: {
      /** @description The transaction as it is now; without `nop2/read` its uuid alone. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | components['schemas']['Transaction']
            | components['schemas']['SelectedTransaction'];
        };
      };
      readonly 400: components['responses']['BadBody'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksWrite'];
      readonly 404: components['responses']['NotFound'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['InvalidMembers'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly updateTransaction: {
    readonly parameters: {
      readonly query?: {
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
      };
      readonly header?: {
        /** @description Write only if the transaction is in the version of this tag; otherwise 412. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The uuid of the transaction. */
        readonly uuid: components['parameters']['uuid'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/merge-patch+json': components['schemas']['TransactionChange'];
        readonly 'application/json': components['schemas']['TransactionChange'];
      };
    };
    readonly responses: {
      /** @description The transaction as it is now; without `nop2/read` its uuid alone. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | components['schemas']['Transaction']
            | components['schemas']['SelectedTransaction'];
        };
      };
      readonly 400: components['responses']['BadBody'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksWrite'];
      readonly 404: components['responses']['NotFound'];
      readonly 412: components['responses']['PreconditionFailed'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['InvalidMembers'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly createPayment: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewPayment'];
      };
    };
    readonly responses: {
      /** @description The record; `token` is null unless you may see it. */
      readonly 201: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['PaymentRecord'];
        };
      };
      readonly 400: components['responses']['BadBody'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksWrite'];
      readonly 404: components['responses']['NotFound'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['InvalidMembers'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly listEvents: {
    readonly parameters: {
      readonly query?: {
        /** @description Events of this type. */
        readonly 'filter[type]'?: components['parameters']['filter.type'];
        /** @description Events that are there on their way to you. */
        readonly 'filter[state]'?: components['parameters']['filter.state'];
        /** @description Events of the transaction with this uuid. */
        readonly 'filter[transaction]'?: components['parameters']['filter.transaction'];
        /** @description Events that were created at this time in UTC or later: `2026-11-22T12:00:00Z`. */
        readonly 'filter[since]'?: components['parameters']['filter.since'];
        /** @description How many are on a page. More than 50 count as 50, what is no number as 10. */
        readonly 'per-page'?: components['parameters']['per-page'];
        /** @description From a `next` link: where the page before ended, among the events of the same filters. Any other text is 422; do not make one yourself, follow the link. */
        readonly after?: components['parameters']['event.after'];
      };
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description One page. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly Link: components['headers']['Link'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['EventList'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly Link: components['headers']['Link'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadQuery'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksRead'];
      readonly 422: components['responses']['InvalidFilters'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getEvent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The id of the event. */
        readonly id: components['parameters']['event.id'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The event. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['EventWithMessage'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['TwoTokens'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksRead'];
      readonly 404: components['responses']['NotFound'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly replayEvent: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The id of the event. */
        readonly id: components['parameters']['event.id'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is scheduled. */
      readonly 202: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ReplayAnswer'];
        };
      };
      readonly 400: components['responses']['BadKey'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksWrite'];
      readonly 404: components['responses']['NotFound'];
      readonly 409: components['responses']['NothingLeaves'];
      readonly 422: components['responses']['UsedKey'];
      readonly 429: components['responses']['OverQuota'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly replayEvents: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewReplay'];
      };
    };
    readonly responses: {
      /** @description What is sent again. */
      readonly 202: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['ReplayAnswer'];
        };
      };
      readonly 400: components['responses']['BadBody'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksWrite'];
      readonly 409: components['responses']['NothingLeaves'];
      readonly 413: components['responses']['ContentTooLarge'];
      readonly 415: components['responses']['UnsupportedMediaType'];
      readonly 422: components['responses']['InvalidMembers'];
      readonly 429: components['responses']['OverQuota'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly testWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is scheduled. */
      readonly 202: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly RateLimit: components['headers']['RateLimit'];
          readonly 'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly Location: components['headers']['Location'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['WebhookTestAnswer'];
        };
      };
      readonly 400: components['responses']['BadKey'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksWrite'];
      readonly 409: components['responses']['NothingLeaves'];
      readonly 422: components['responses']['UsedKey'];
      readonly 429: components['responses']['OverQuota'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getPartner: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Your record. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Partner'];
        };
      };
      readonly 400: components['responses']['TwoTokens'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['LacksRead'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getOrCreateTransaction: {
    readonly parameters: {
      readonly query?: {
        /** @description One transaction of the session. */
        readonly uuid?: components['parameters']['uuid.query'];
        /** @description The transaction with this uuid. Filters hold together; each may stand once. */
        readonly 'filter[uuid]'?: components['parameters']['filter.uuid'];
        /** @description `1`: complete transactions, `0`: incomplete ones. Filters hold together; each may stand once. */
        readonly 'filter[status]'?: components['parameters']['filter.status'];
        /** @description Transactions of the vehicle with this stock id. Filters hold together; each may stand once. */
        readonly 'filter[identifiers][ndstockid]'?: components['parameters']['filter.identifiers.ndstockid'];
        /** @description Transactions of the vehicle with this external id. Filters hold together; each may stand once. */
        readonly 'filter[identifiers][salesmasterid]'?: components['parameters']['filter.identifiers.salesmasterid'];
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
        /** @description The page, from 1. What is no number counts as 1; a page past the end is empty. */
        readonly page?: components['parameters']['page'];
        /** @description How many are on a page. More than 50 count as 50, what is no number as 10. */
        readonly 'per-page'?: components['parameters']['per-page'];
        /** @description From a `next` link: where the page before ended. One that does not fit the other parameters is ignored, and `page` counts. Do not make one yourself, follow the link. */
        readonly after?: components['parameters']['after'];
        /** @description The location that a new transaction is for, of a storefront registered for the request’s `Origin`. */
        readonly location?: components['parameters']['location'];
        /** @description Its franchise, where it has several. */
        readonly franchise?: components['parameters']['franchise'];
      };
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The transaction, or with a filter one page of them. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'X-Pagination-Total-Count'?: string;
          readonly 'X-Pagination-Page-Count'?: string;
          readonly 'X-Pagination-Current-Page'?: string;
          readonly 'X-Pagination-Per-Page'?: string;
          readonly Link?: string;
          readonly 'authentication-token': components['headers']['authentication-token'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | (components['schemas']['Transaction'] | components['schemas']['SelectedTransaction'])
            | components['schemas']['TransactionList'];
        };
      };
      /** @description A prefetch by a browser creates nothing. */
      readonly 204: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'authentication-token': components['headers']['authentication-token'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadQueryInSession'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['NoStorefrontInSession'];
      readonly 404: components['responses']['NotFoundInSession'];
      readonly 409: components['responses']['ConflictInSession'];
      readonly 422: components['responses']['InvalidFiltersInSession'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly createTransaction: {
    readonly parameters: {
      readonly query?: {
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
      };
      readonly header?: {
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: {
      readonly content: {
        readonly 'application/json': components['schemas']['NewTransaction'];
      };
    };
    readonly responses: {
      /** @description The new transaction. */
      readonly 201: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly Location: components['headers']['Location'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly 'authentication-token': components['headers']['authentication-token'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | components['schemas']['Transaction']
            | components['schemas']['SelectedTransaction'];
        };
      };
      readonly 400: components['responses']['BadBodyInSession'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['NoStorefrontInSession'];
      readonly 404: components['responses']['NotFoundInSession'];
      readonly 409: components['responses']['ConflictInSession'];
      readonly 413: components['responses']['ContentTooLargeInSession'];
      readonly 415: components['responses']['UnsupportedMediaTypeInSession'];
      readonly 422: components['responses']['InvalidMembersInSession'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly getOwnTransaction: {
    readonly parameters: {
      readonly query?: {
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
      };
      readonly header?: {
        /** @description Tags that you have: 304 if the answer would have one of them. */
        readonly 'If-None-Match'?: components['parameters']['If-None-Match'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The uuid of the transaction. */
        readonly uuid: components['parameters']['uuid'];
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The transaction. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'authentication-token': components['headers']['authentication-token'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | components['schemas']['Transaction']
            | components['schemas']['SelectedTransaction'];
        };
      };
      /** @description Nothing changed since the answer with one of the tags in `If-None-Match`. */
      readonly 304: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'authentication-token': components['headers']['authentication-token'];
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      readonly 400: components['responses']['BadQueryInSession'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 404: components['responses']['NotFoundInSession'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly replaceOwnElements: {
    readonly parameters: {
      readonly query?: {
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
      };
      readonly header?: {
        /** @description Write only if the transaction is in the version of this tag; otherwise 412. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The uuid of the transaction. */
        readonly uuid: components['parameters']['uuid'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['TransactionChange'];
      };
    };
    readonly responses: {
      /** @description The transaction as it is now. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly 'authentication-token': components['headers']['authentication-token'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | components['schemas']['Transaction']
            | components['schemas']['SelectedTransaction'];
        };
      };
      readonly 400: components['responses']['BadBodyInSession'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['NoStorefrontInSession'];
      readonly 404: components['responses']['NotFoundInSession'];
      readonly 409: components['responses']['ConflictInSession'];
      readonly 412: components['responses']['PreconditionFailedInSession'];
      readonly 413: components['responses']['ContentTooLargeInSession'];
      readonly 415: components['responses']['UnsupportedMediaTypeInSession'];
      readonly 422: components['responses']['InvalidMembersInSession'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly updateOwnTransaction: {
    readonly parameters: {
      readonly query?: {
        /** @description Related records to add, with commas between them: vehicle, ndMeta, extras, deliveryCollection, selectedPaymentMethod, financeProposal, valuation, customer, payments, financeDefaults. Other names are ignored. */
        readonly expand?: components['parameters']['expand'];
        /** @description The only properties to show, with commas between them. `payments.value` is a property of a related record and expands it; `*` is everything at its level. Other names are ignored. */
        readonly fields?: components['parameters']['fields'];
      };
      readonly header?: {
        /** @description Write only if the transaction is in the version of this tag; otherwise 412. */
        readonly 'If-Match'?: components['parameters']['If-Match'];
        /** @description Makes trying again safe: for 24 hours the same key with the same body is answered as it was the first time, and nothing is done twice. */
        readonly 'Idempotency-Key'?: components['parameters']['Idempotency-Key'];
        /** @description An id of yours for the request, of up to 128 letters, digits, `_`, `.`, `:` and `-`; the answer repeats it. Any other value is disregarded. */
        readonly 'X-Correlation-Id'?: components['parameters']['X-Correlation-Id'];
      };
      readonly path: {
        /** @description The uuid of the transaction. */
        readonly uuid: components['parameters']['uuid'];
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/merge-patch+json': components['schemas']['TransactionChange'];
        readonly 'application/json': components['schemas']['TransactionChange'];
      };
    };
    readonly responses: {
      /** @description The transaction as it is now. */
      readonly 200: {
        headers: {
          readonly 'Request-Id': components['headers']['Request-Id'];
          readonly 'X-Correlation-Id': components['headers']['X-Correlation-Id'];
          readonly ETag: components['headers']['ETag'];
          readonly 'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          readonly 'authentication-token': components['headers']['authentication-token'];
          readonly 'Cache-Control': components['headers']['Cache-Control'];
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json':
            | components['schemas']['Transaction']
            | components['schemas']['SelectedTransaction'];
        };
      };
      readonly 400: components['responses']['BadBodyInSession'];
      readonly 401: components['responses']['Unauthorized'];
      readonly 403: components['responses']['NoStorefrontInSession'];
      readonly 404: components['responses']['NotFoundInSession'];
      readonly 409: components['responses']['ConflictInSession'];
      readonly 412: components['responses']['PreconditionFailedInSession'];
      readonly 413: components['responses']['ContentTooLargeInSession'];
      readonly 415: components['responses']['UnsupportedMediaTypeInSession'];
      readonly 422: components['responses']['InvalidMembersInSession'];
      readonly 429: components['responses']['TooManyRequests'];
      readonly 500: components['responses']['InternalError'];
      readonly 503: components['responses']['Unavailable'];
      readonly 504: components['responses']['GatewayTimeout'];
    };
  };
  readonly onTransactionUpdated: {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description The value that you were given; compare it in constant time. A message with any other is not ours. */
        readonly 'X-Webhook-Signature': string;
        /** @description During a rotation: the value that comes next. Accept both. */
        readonly 'X-Webhook-Signature-Next'?: string;
        /** @description The `id` of the body. */
        readonly 'Idempotency-Key': string;
        /** @description The event tells of the versions of the transaction after this one, */
        readonly 'X-Transaction-From-Version': string;
        /** @description up to and including this one. */
        readonly 'X-Transaction-Version': string;
        /** @description Changed elements that were too large to be sent, with commas between them; mostly empty. Read them. */
        readonly 'X-Transaction-Omitted': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['TransactionUpdatedMessage'];
      };
    };
    readonly responses: {
      /** @description The signature is not the expected one. It is tried again. */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description You have it. Answer within five seconds, before doing anything slow. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description 403, 404, 408 and 410 are tried again five times with pauses; 407, 409 and 429 for 24 hours; any other is not tried again. */
      readonly '4XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Tried again for 24 hours, at most 185 times; `Retry-After` is heeded. */
      readonly '5XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly onTransactionCompleted: {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description The value that you were given; compare it in constant time. A message with any other is not ours. */
        readonly 'X-Webhook-Signature': string;
        /** @description During a rotation: the value that comes next. Accept both. */
        readonly 'X-Webhook-Signature-Next'?: string;
        /** @description The `id` of the body. */
        readonly 'Idempotency-Key': string;
        /** @description The event tells of the versions of the transaction after this one, */
        readonly 'X-Transaction-From-Version': string;
        /** @description up to and including this one. */
        readonly 'X-Transaction-Version': string;
        /** @description Changed elements that were too large to be sent, with commas between them; mostly empty. Read them. */
        readonly 'X-Transaction-Omitted': string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['TransactionCompletedMessage'];
      };
    };
    readonly responses: {
      /** @description The signature is not the expected one. It is tried again. */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description You have it. Answer within five seconds, before doing anything slow. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description 403, 404, 408 and 410 are tried again five times with pauses; 407, 409 and 429 for 24 hours; any other is not tried again. */
      readonly '4XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Tried again for 24 hours, at most 185 times; `Retry-After` is heeded. */
      readonly '5XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  readonly onWebhookTest: {
    readonly parameters: {
      readonly query?: never;
      readonly header: {
        /** @description The value that you were given; compare it in constant time. A message with any other is not ours. */
        readonly 'X-Webhook-Signature': string;
        /** @description During a rotation: the value that comes next. Accept both. */
        readonly 'X-Webhook-Signature-Next'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': components['schemas']['WebhookTestMessage'];
      };
    };
    readonly responses: {
      /** @description The signature is not the expected one. It is tried again. */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description You have it. Answer within five seconds, before doing anything slow. */
      readonly '2XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description 403, 404, 408 and 410 are tried again five times with pauses; 407, 409 and 429 for 24 hours; any other is not tried again. */
      readonly '4XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Tried again for 24 hours, at most 185 times; `Retry-After` is heeded. */
      readonly '5XX': {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
