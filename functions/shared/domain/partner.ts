import type { EndpointStatus } from './endpoint.ts';
import type { Grant } from './ownership/grant.ts';

/** The OAuth scopes that exist (interface 4.3). Always called "OAuth scopes"; a partner's scope is its grants. */
export const oauthScopeNames = ['nop2/read', 'nop2/write', 'nop2/webhook'] as const;
export type OAuthScope = (typeof oauthScopeNames)[number];

/** What a partner gets where its operator names none: `nop2/webhook` is given by name (V2-13). */
export const defaultOAuthScopes: readonly OAuthScope[] = ['nop2/read', 'nop2/write'];

/** Whether a text has the form of a client id, 26 letters and digits (TOK-2); no such partner has to exist. */
export const isClientId = (text: string): boolean => /^[A-Za-z0-9]{26}$/.test(text);

/** One V2 consumer. Holds no secret: credentials are a record of their own. */
export type Partner = {
  clientId: string;
  name: string;
  enabled: boolean;
  oauthScopes: OAuthScope[];
  grants: Grant[];
  /** Whether the payment `token` is shown to it (SHOW-1). */
  showsPaymentTokens: boolean;
  /** Where its events are to go; what serves now is its endpoint's status (`EndpointStatus`). */
  webhookUrl?: string;
  /** When the address was last set: an address that is set again is checked again. */
  webhookSetAtMs?: number;
  /** The operator set the address without a check. */
  webhookUnchecked?: true;
  /** Its events are kept until it is resumed. What the operator paused, the partner does not resume (V2-13). */
  webhookPaused?: 'operator' | 'partner';
  /** Who changed its webhook last, and when (V2-13). */
  webhookChange?: { by: 'operator' | 'partner'; atMs: number };
  /** When the value of `X-Webhook-Signature` was made; absent = with the partner. */
  signatureMadeAtMs?: number;
  /** A rotation is announced: when the next value was made (S-27). */
  nextSignatureMadeAtMs?: number;
  createdAtMs: number;
};

/** What a partner wishes of its webhook, and may change of itself (V2-13). */
export type WebhookWishes = Pick<
  Partner,
  | 'webhookUrl'
  | 'webhookSetAtMs'
  | 'webhookUnchecked'
  | 'webhookPaused'
  | 'webhookChange'
  | 'signatureMadeAtMs'
  | 'nextSignatureMadeAtMs'
>;

/** A change of a partner's record, as a value to look at before it is made (TH-22). */
export type PartnerChange = { before: Partner; after: Partner };

/** The value of `X-Webhook-Signature`, and in a rotation the next one, which is sent beside it (S-27). */
export type WebhookSignature = { signature: string; next?: string };

/** A step of a rotation of the signature (S-27). It names the next value at most, so that who takes one reads none. */
export type SignatureStep = { announce: string } | 'finish' | 'cancel';

/** What is known of a client secret beside its hash (S-20). Its id stands in the tokens that are issued under it. */
export type SecretFacts = {
  id: string;
  /** The operator who made it, or the partner itself. */
  madeBy: string;
  createdAtMs: number;
  expiresAtMs?: number;
};

/** The day, in UTC, of the last authentication by each secret, by the secret's id: `2026-11-22`. */
export type SecretUses = Readonly<Record<string, string>>;

export const isActive = ({ expiresAtMs }: SecretFacts, nowMs: number) =>
  expiresAtMs === undefined || nowMs < expiresAtMs;

/** A client secret as stored: the HMAC-SHA-256 under the named pepper, base64url (TOK-2). */
export type StoredSecret = SecretFacts & { hash: string; pepperId: string };

/** A partner with what decides whether its tokens still count: all that a request with one needs to know (TOK-5). */
export type PartnerProfile<Secret extends SecretFacts = SecretFacts> = {
  partner: Partner;
  secrets: Secret[];
  /** Tokens that were issued before are refused. */
  tokensFromMs?: number;
  /** When one of its tokens was last revoked by itself. */
  revokedAtMs?: number;
  /** What `keep-endpoints` has reached for it at the bus; absent = nothing yet. */
  endpoint?: EndpointStatus;
};
