import type { Grant } from './grant.ts';

/** The OAuth scopes that exist (interface 4.3). Always called "OAuth scopes"; a partner's scope is its grants. */
export const oauthScopeNames = ['nop2/read', 'nop2/write'] as const;
export type OAuthScope = (typeof oauthScopeNames)[number];

/** One V2 consumer (contract 1). Holds no secret: credentials are a record of their own. */
export type Partner = {
  clientId: string;
  name: string;
  enabled: boolean;
  oauthScopes: OAuthScope[];
  grants: Grant[];
  /** Whether the payment `token` is shown to it (SHOW-1). */
  showsPaymentTokens: boolean;
  webhookUrl?: string;
  /** Its events are kept until it is resumed. */
  webhookPaused?: true;
  createdAtMs: number;
};

/** A client secret as stored: the HMAC-SHA-256 under the pepper, base64url (TOK-2). */
export type StoredSecret = { id: string; hash: string; createdAtMs: number; expiresAtMs?: number };
