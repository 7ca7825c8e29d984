import type { Credentials } from '../support/stage/partner-client.ts';

/** Where the service is reached. */
export type Service = { baseUrl: string; authUrl: string };

/** What every client does, each in its own words; a refusal that the library knows is thrown. */
export type ForeignClient = {
  name: string;
  fetch: (credentials: Credentials) => Promise<string>;
  /** The status of V2's list. */
  use: (token: string, credentials: Credentials) => Promise<number>;
  /** Whether the token is active. */
  introspect: (token: string, credentials: Credentials) => Promise<boolean>;
  revoke: (token: string, credentials: Credentials) => Promise<void>;
  stop?: () => Promise<void>;
};

export const scope = 'nop2/read nop2/write';

export const listOf = ({ baseUrl }: Service) => `${baseUrl}/api/v2/transaction`;
export const endpointOf = ({ authUrl }: Service, endpoint: 'token' | 'introspect' | 'revoke') =>
  `${authUrl}/oauth2/${endpoint}`;
