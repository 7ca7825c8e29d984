import * as oauth4webapi from 'oauth4webapi';
import * as openidClient from 'openid-client';
import type { Credentials } from '../support/stage/partner-client.ts';
import { type ForeignClient, listOf, type Service, scope } from './foreign-client.ts';

/** Discovery, then its own requests for everything; it sends credentials in the body. */
export const withOpenidClient = (service: Service): ForeignClient => {
  const configured = ({ clientId, clientSecret }: Credentials) =>
    openidClient.discovery(new URL(service.authUrl), clientId, clientSecret, undefined, {
      algorithm: 'oauth2',
      execute: [openidClient.allowInsecureRequests],
    });
  return {
    name: 'openid-client',
    fetch: async (credentials) =>
      (await openidClient.clientCredentialsGrant(await configured(credentials), { scope })).access_token,
    use: async (token, credentials) => {
      const list = new URL(listOf(service));
      const configuration = await configured(credentials);
      // It throws what carries a challenge.
      return openidClient.fetchProtectedResource(configuration, token, list, 'GET').then(
        ({ status }) => status,
        (fault: { status?: number }) => fault.status ?? Number.NaN,
      );
    },
    introspect: async (token, credentials) =>
      (await openidClient.tokenIntrospection(await configured(credentials), token)).active,
    revoke: async (token, credentials) => openidClient.tokenRevocation(await configured(credentials), token),
  };
};

/** The same steps by hand, with Basic. */
export const withOauth4webapi = (service: Service): ForeignClient => {
  const insecure = { [oauth4webapi.allowInsecureRequests]: true };
  const issuer = new URL(service.authUrl);
  const server = async () =>
    oauth4webapi.processDiscoveryResponse(
      issuer,
      await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
  const known = async ({ clientId, clientSecret }: Credentials) =>
    [await server(), { client_id: clientId }, oauth4webapi.ClientSecretBasic(clientSecret)] as const;
  return {
    name: 'oauth4webapi',
    fetch: async (credentials) => {
      const [as, client, by] = await known(credentials);
      const answer = await oauth4webapi.clientCredentialsGrantRequest(as, client, by, { scope }, insecure);
      return (await oauth4webapi.processClientCredentialsResponse(as, client, answer)).access_token;
    },
    use: async (token) => {
      const list = new URL(listOf(service));
      return oauth4webapi.protectedResourceRequest(token, 'GET', list, undefined, null, insecure).then(
        ({ status }) => status,
        (fault: { status?: number }) => fault.status ?? Number.NaN,
      );
    },
    introspect: async (token, credentials) => {
      const [as, client, by] = await known(credentials);
      const answer = await oauth4webapi.introspectionRequest(as, client, by, token, insecure);
      return (await oauth4webapi.processIntrospectionResponse(as, client, answer)).active;
    },
    revoke: async (token, credentials) => {
      const [as, client, by] = await known(credentials);
      const answer = await oauth4webapi.revocationRequest(as, client, by, token, insecure);
      await oauth4webapi.processRevocationResponse(answer);
    },
  };
};
