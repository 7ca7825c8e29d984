// Made by `npm run openapi` of docs/openapi.json, which is made of the schemas that the service validates with.
// Do not edit.

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
      /** @constant */
      readonly grant_type: 'client_credentials';
      /** @description OAuth scopes with a space between them: nop2/read, nop2/write, nop2/webhook. */
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
      /** @description Its franchise there, where the location has several. */
      readonly franchise?: string;
      /**
       * @description 1 deletes it: reads do not find it any more, and partners are notified.
       * @constant
       */
      readonly isDeleted?: 1;
      /** @description What adjusts the price: a payment, a price rule. */
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
      /** @description The email address of a guest. */
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
    /** @description Delivery or collection in a request, with any of its members, each of which may be null. */
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
      /** @description The uuid of the transaction. */
      readonly transaction: string;
      /**
       * Format: int64
       * @description The kind of payment: 0, 1 and 8 are in use.
       */
      readonly type: number;
      /** @description The amount, with two decimals: `"199.00"`. */
      readonly value: string;
      /**
       * @description 1 = made: on an incomplete transaction it completes it. 0 = not made.
       * @enum {number}
       */
      readonly status: 0 | 1;
      /** @description Free text. */
      readonly reference?: string | null;
      /** @description What is paid for: `PAY` is in use. */
      readonly product_identifier?: string | null;
      /** @description Free text. */
      readonly message?: string | null;
      /** @description Payment-method token from a card processor. It is shown only to partners that may see it. */
      readonly token?: string | null;
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
      readonly gateway_id?: number | null;
      readonly provider_references?: unknown;
    };
    /** @description What to send again: everything since a time, narrowed as a list of events is. */
    readonly NewReplay: {
      /**
       * Format: date-time
       * @description Events that were created at this time in UTC or later: `2026-11-22T12:00:00Z`.
       */
      readonly since: string;
      /**
       * @description Events of this type alone.
       * @enum {string}
       */
      readonly type?: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /**
       * @description Events in this state alone: `failed` is what your endpoint did not take.
       * @enum {string}
       */
      readonly state?: 'waiting' | 'held' | 'sent' | 'delivered' | 'retrying' | 'failed' | 'withheld';
      /** @description Events of the transaction with this uuid alone. */
      readonly transaction?: string;
      /** @description From `next` of the answer before. Do not make one yourself, send `next` as it is. */
      readonly after?: string;
    };
    /** @description The address of a webhook. */
    readonly WebhookAddress: {
      /** @description Where your events go: `https`, and a host that the internet knows by name. */
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
      /** @description Its franchise, where it has several. */
      readonly franchise?: string;
      /** @description What adjusts the price: a payment, a price rule. */
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
      /** @description The email address of a guest. */
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
    /** @description RFC 8693. */
    readonly TokenExchange: {
      /** @constant */
      readonly grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange';
      /** @description The ID token of the signed-in user, from the identity provider of your storefront; at most 10 minutes old. */
      readonly subject_token: string;
      /** @constant */
      readonly subject_token_type: 'urn:ietf:params:oauth:token-type:id_token';
      /** @description The token of the anonymous session that the user continues. It ends with this request. */
      readonly actor_token?: string;
      /**
       * @description With `actor_token`.
       * @constant
       */
      readonly actor_token_type?: 'urn:ietf:params:oauth:token-type:access_token';
      /** @constant */
      readonly requested_token_type?: 'urn:ietf:params:oauth:token-type:access_token';
    } & {
      readonly [key: string]: string;
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
      readonly extras?:
        | (components['schemas']['Extras'] | (components['schemas']['ImportedElement'] | readonly unknown[]))
        | null;
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
    /** @description An element that another system exported and that was imported unchanged. What this API wrote has the shape beside it. */
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
      /**
       * Format: int64
       * @description Numeric id of the owning transaction.
       */
      readonly transaction_id: number;
      /** @description 40 hexadecimal characters. */
      readonly hash: string;
      /** @description Payment-method token from a card processor, where the partner may see it. */
      readonly token: string | null;
      /** @description Free text; a placeholder text when none. */
      readonly reference: string;
      readonly provider_references: unknown;
      /**
       * Format: int64
       * @description Values seen: 0, 1, 8.
       */
      readonly type: number;
      /** @description Value seen: PAY. */
      readonly product_identifier: string;
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
      /**
       * Format: int64
       * @description Unix timestamp, seconds.
       */
      readonly created_at: number;
      /** @description Name of the operation that created the record. */
      readonly created_by: string;
      /**
       * Format: int64
       * @description Unix timestamp, seconds.
       */
      readonly updated_at: number;
      /** @description Same shape as created_by. */
      readonly updated_by: string;
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
        /**
         * Format: int64
         * @description Numeric id of the owning transaction.
         */
        readonly transaction_id: number;
        /** @description 40 hexadecimal characters. */
        readonly hash: string;
        /** @description Payment-method token from a card processor, where the partner may see it. */
        readonly token: string | null;
        /** @description Free text; a placeholder text when none. */
        readonly reference: string;
        readonly provider_references: unknown;
        /**
         * Format: int64
         * @description Values seen: 0, 1, 8.
         */
        readonly type: number;
        /** @description Value seen: PAY. */
        readonly product_identifier: string;
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
        /**
         * Format: int64
         * @description Unix timestamp, seconds.
         */
        readonly created_at: number;
        /** @description Name of the operation that created the record. */
        readonly created_by: string;
        /**
         * Format: int64
         * @description Unix timestamp, seconds.
         */
        readonly updated_at: number;
        /** @description Same shape as created_by. */
        readonly updated_by: string;
        readonly gateway_id: number | null;
      }[];
    };
    /**
     * WebhookTest
     * @description Has no transaction: asks whether the endpoint takes messages with the right signature alone.
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
      /** @description Each parameter, member or header at fault, wherever there is one: with 422 always. */
      readonly errors?: readonly components['schemas']['FieldError'][];
    };
    /** @description One refused parameter or member. */
    readonly FieldError: {
      /** @description The parameter, member or header as the caller wrote it: `filter[nope]`, `payments.0.value`. */
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
          /** @constant */
          readonly active: false;
        }
      | {
          /** @constant */
          readonly active: true;
          /** @description OAuth scopes with a space between them: nop2/read, nop2/write, nop2/webhook. */
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
    /** @description That a secret was made. It is not shown again. */
    readonly RepeatedSecret: {
      readonly client_id: string;
      /**
       * @description RFC 7591: the new secret has no end.
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
      readonly client_id: string;
      /**
       * @description RFC 7591: the new secret has no end.
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
      /** @description Shown this once. */
      readonly client_secret: string;
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
      readonly scopes_supported: readonly ('nop2/read' | 'nop2/write' | 'nop2/webhook')[];
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
      readonly scopes_supported: readonly ('nop2/read' | 'nop2/write' | 'nop2/webhook')[];
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
      readonly extras?:
        | (components['schemas']['Extras'] | (components['schemas']['ImportedElement'] | readonly unknown[]))
        | null;
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
      readonly extras?:
        | (components['schemas']['Extras'] | (components['schemas']['ImportedElement'] | readonly unknown[]))
        | null;
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
      /**
       * Format: int64
       * @description Numeric id of the owning transaction.
       */
      readonly transaction_id?: number;
      /** @description 40 hexadecimal characters. */
      readonly hash?: string;
      /** @description Payment-method token from a card processor, where the partner may see it. */
      readonly token?: string | null;
      /** @description Free text; a placeholder text when none. */
      readonly reference?: string;
      readonly provider_references?: unknown;
      /**
       * Format: int64
       * @description Values seen: 0, 1, 8.
       */
      readonly type?: number;
      /** @description Value seen: PAY. */
      readonly product_identifier?: string;
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
      /**
       * Format: int64
       * @description Unix timestamp, seconds.
       */
      readonly created_at?: number;
      /** @description Name of the operation that created the record. */
      readonly created_by?: string;
      /**
       * Format: int64
       * @description Unix timestamp, seconds.
       */
      readonly updated_at?: number;
      /** @description Same shape as created_by. */
      readonly updated_by?: string;
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
      /** @description The transaction that it is about; null where it is about none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description It covers the versions of the transaction after this one,
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
      /** @description The transaction that it is about; null where it is about none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description It covers the versions of the transaction after this one,
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
       * @description Id of the event, and of its message.
       */
      readonly id: string;
      /** @enum {string} */
      readonly type: 'TransactionUpdated' | 'TransactionCompleted' | 'WebhookTest';
      /** @description The transaction that it is about; null where it is about none. */
      readonly transaction: string | null;
      /**
       * Format: int64
       * @description It covers the versions of the transaction after this one,
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
      readonly oauthScopes: readonly ('nop2/read' | 'nop2/write' | 'nop2/webhook')[];
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
         * @description `off`: no address. `verifying`: the address is being checked, or set up. `on`: events are sent. `paused`: events are kept until it is resumed. `failing`: see `reason`.
         * @enum {string}
         */
        readonly state: 'off' | 'verifying' | 'on' | 'paused' | 'failing';
        readonly since: string | null;
        /** @description Why it is failing: `TIMEOUT`, `DNS`, `NO_CONNECTION`, `REDIRECT`, `ADDRESS_NOT_PUBLIC`, `ANSWER_TOO_LARGE`, `HTTP_500` and so on, or `OTHER`. There may be others one day. */
        readonly reason: string | null;
        /** @description Who paused it. What your operator paused, your operator resumes. */
        readonly pausedBy: ('operator' | 'partner') | null;
        /** @description The host of its address. */
        readonly host: string | null;
        /** @description The last event, among the newest hundred, with which the delivery gave up. What it is still trying, for up to 24 hours, is not here. */
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
        /** @description The value of `X-Webhook-Signature`. */
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
        /** @description The next value, which messages carry as `X-Webhook-Signature-Next` until you choose it. */
        readonly nextSignature: {
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
        } | null;
        /** @description When the webhook was last changed, and by whom. */
        readonly lastChange: {
          /**
           * Format: date-time
           * @description ISO 8601, UTC.
           */
          readonly at: string;
          /** @enum {string} */
          readonly by: 'operator' | 'partner';
        } | null;
      };
    };
    /** @description Where your events go, and how that stands. */
    readonly Webhook: {
      /** @description The address that you set. */
      readonly url: string | null;
      /**
       * @description `off`: no address. `verifying`: the address is being checked, or set up. `on`: events are sent. `paused`: events are kept until it is resumed. `failing`: see `reason`.
       * @enum {string}
       */
      readonly state: 'off' | 'verifying' | 'on' | 'paused' | 'failing';
      readonly since: string | null;
      /** @description Why it is failing: `TIMEOUT`, `DNS`, `NO_CONNECTION`, `REDIRECT`, `ADDRESS_NOT_PUBLIC`, `ANSWER_TOO_LARGE`, `HTTP_500` and so on, or `OTHER`. There may be others one day. */
      readonly reason: string | null;
      /** @description Who paused it. What your operator paused, your operator resumes. */
      readonly pausedBy: ('operator' | 'partner') | null;
      /** @description The address that events go to: the former one until a new one has passed its check. */
      readonly servedUrl: string | null;
      /** @description The value of `X-Webhook-Signature`. */
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
      /** @description The next value, which messages carry as `X-Webhook-Signature-Next` until you choose it. */
      readonly nextSignature: {
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
      } | null;
      /** @description When the webhook was last changed, and by whom. */
      readonly lastChange: {
        /**
         * Format: date-time
         * @description ISO 8601, UTC.
         */
        readonly at: string;
        /** @enum {string} */
        readonly by: 'operator' | 'partner';
      } | null;
      readonly _links: {
        readonly self: {
          /** Format: uri */
          readonly href: string;
        };
      };
    };
    /** @description The webhook after the change; its links alone without `nop2/read`. */
    readonly ChangedWebhook:
      | components['schemas']['Webhook']
      | {
          readonly _links: {
            readonly self: {
              /** Format: uri */
              readonly href: string;
            };
          };
        };
    /** @description That a next value was made. It is not shown again. */
    readonly RepeatedSignature: {
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly createdAt: string;
      readonly _links: {
        readonly self: {
          /** Format: uri */
          readonly href: string;
        };
      };
    };
    /** @description A next value of `X-Webhook-Signature`. */
    readonly NextSignature: {
      /** @description The next value, shown this once. */
      readonly signature: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      readonly createdAt: string;
      readonly _links: {
        readonly self: {
          /** Format: uri */
          readonly href: string;
        };
      };
    };
    /** @description A token of the session of a signed-in user (RFC 8693.. */
    readonly SessionGrant: {
      /** @description The token of the user’s session. */
      readonly access_token: string;
      /** @constant */
      readonly issued_token_type: 'urn:ietf:params:oauth:token-type:access_token';
      /** @constant */
      readonly token_type: 'Bearer';
      /**
       * @description Seconds.
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
