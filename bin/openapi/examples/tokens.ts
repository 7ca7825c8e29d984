import {
  authorizationServerMetadata,
  protectedResourceMetadata,
} from '../../../functions/issue-token/server-metadata.ts';
import { oauthScopeNames } from '../../../functions/shared/domain/partner.ts';
import { addresses } from './addresses.ts';

const { baseUrl, authUrl } = addresses;
const clientId = 'exampleclient0000000000001';
const scope = oauthScopeNames.join(' ');

export const tokenRequestExample = { grant_type: 'client_credentials', scope };

const secret = 'nop2exampleexampleexampleexampleexampleexampleexample000000';

/** For a client that cannot send `Authorization: Basic`. */
export const clientInBodyExample = { client_id: clientId, client_secret: secret };

export const tokenExample = {
  access_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: 3600,
};

export const repeatedSecretExample = {
  client_id: clientId,
  client_secret_expires_at: 0,
  secret_id: 'Jq3kV9xT',
  former_secret_id: 's1',
  former_secret_expires_at: 1_795_429_800,
};

export const newSecretExample = {
  ...repeatedSecretExample,
  client_secret: secret,
};

export const activeExample = {
  active: true,
  scope,
  client_id: clientId,
  token_type: 'Bearer',
  exp: 1_795_343_400,
  iat: 1_795_339_800,
  sub: clientId,
  aud: `${baseUrl}/api/v2`,
  iss: authUrl,
  jti: 's1.0c2b1f5e-54a0-4a0e-9b93-1e9d0b0a9a11',
};

export const keySetExample = {
  keys: [
    {
      kty: 'RSA',
      use: 'sig',
      alg: 'RS256',
      kid: 'a1b2c3d4e5f6',
      n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw',
      e: 'AQAB',
    },
  ],
};

export const resourceMetadata = `${baseUrl}/.well-known/oauth-protected-resource/api/v2`;

export const serverExample = authorizationServerMetadata(authUrl);
export const resourceExample = protectedResourceMetadata(`${baseUrl}/api/v2`, authUrl);
