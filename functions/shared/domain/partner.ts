import type { EndpointStatus } from './endpoint.ts';
import type { Grant } from './ownership/grant.ts';

/** The OAuth scopes that exist (interface 4.3). Always called "OAuth scopes"; a partner's scope is its grants. */
export const oauthScopeNames = ['nop2/read', 'nop2/write', 'nop2/webhook'] as const;
export type OAuthScope = (typeof oauthScopeNames)[number];

/** The OAuth scopes of a partner whose operator names none. `nop2/webhook` must be named (V2-13). */
export const defaultOAuthScopes: readonly OAuthScope[] = ['nop2/read', 'nop2/write'];

/** Whether a text has the form of a client id: 26 letters and digits (TOK-2). No such partner has to exist. */
export const isClientId = (text: string): boolean => /^[A-Za-z0-9]{26}$/.test(text);

/** A V2 partner. Contains no secret: credentials are a record of their own. */
export type Partner = {
  clientId: string;
  name: string;
  enabled: boolean;
  oauthScopes: OAuthScope[];
  grants: Grant[];
  /** Whether it sees the `token` of payments (SHOW-1). */
  showsPaymentTokens: boolean;
  /** The wanted address of its events. Its endpoint's status (`EndpointStatus`) has the one that serves. */
  webhookUrl?: string;
  /** When the address was last set. Setting an address again checks it again. */
  webhookSetAtMs?: number;
  /** The operator set the address without a check. */
  webhookUnchecked?: true;
  /** Its events are kept until it is resumed. A pause by the operator is not ended by the partner (V2-13). */
  webhookPaused?: 'operator' | 'partner';
  /** Who last changed its webhook, and when (V2-13). */
  webhookChange?: { by: 'operator' | 'partner'; atMs: number };
  /** When the value of `X-Webhook-Signature` was made. Absent if it was made with the partner. */
  signatureMadeAtMs?: number;
  /** When the next signature was made, during a rotation (S-27). */
  nextSignatureMadeAtMs?: number;
  createdAtMs: number;
};

/** The wanted state of a partner's webhook, which the partner may change (V2-13). */
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

/** A change of a partner's record, as a value that can be checked before it is written (TH-22). */
export type PartnerChange = { before: Partner; after: Partner };

/** The value of `X-Webhook-Signature`, and during a rotation the next one, which no message carries yet (S-27). */
export type WebhookSignature = { signature: string; next?: string };

/**
 * A step of a rotation of the signature (S-27). It contains at most the next value, so whoever takes a step reads no
 * secret.
 */
export type SignatureStep = { announce: string } | 'finish' | 'cancel';

/** What is stored of a client secret beside its hash (S-20). Tokens issued for it contain its id. */
export type SecretFacts = {
  id: string;
  /** The operator who made it, or the partner itself. */
  madeBy: string;
  createdAtMs: number;
  expiresAtMs?: number;
};

/** The day (UTC) of the last authentication by each secret, by the secret's id: `2026-11-22`. */
export type SecretUses = Readonly<Record<string, string>>;

export const isActive = ({ expiresAtMs }: SecretFacts, nowMs: number) =>
  expiresAtMs === undefined || nowMs < expiresAtMs;

/** A stored client secret: its HMAC-SHA-256 under the named pepper, base64url (TOK-2). */
export type StoredSecret = SecretFacts & { hash: string; pepperId: string };

/** A partner with what decides whether its tokens are still valid: all that a request needs to know of it (TOK-5). */
export type PartnerProfile<Secret extends SecretFacts = SecretFacts> = {
  partner: Partner;
  secrets: Secret[];
  /** Tokens issued before this time are refused. */
  tokensFromMs?: number;
  /** When a single token of it was last revoked. */
  revokedAtMs?: number;
  /** What `keep-endpoints` has reached for it on the bus. Absent if nothing yet. */
  endpoint?: EndpointStatus;
};
