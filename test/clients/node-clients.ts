import axios from 'axios';
import { clientCredentials } from 'axios-oauth-client';
import ClientOAuth2 from 'client-oauth2';
import * as oauth4webapi from 'oauth4webapi';
import * as openidClient from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import type { Credentials } from '../support/stage/partner-client.ts';
import { endpointOf, type ForeignClient, listOf, type Service, scope } from './foreign-client.ts';

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

/** It revokes by itself, and has no word for introspection. */
export const withSimpleOauth2 = (service: Service): ForeignClient => {
  const clientOf = ({ clientId, clientSecret }: Credentials) =>
    new ClientCredentials({
      client: { id: clientId, secret: clientSecret },
      auth: { tokenHost: service.authUrl, tokenPath: '/oauth2/token', revokePath: '/oauth2/revoke' },
    });
  return {
    name: 'simple-oauth2',
    fetch: async (credentials) =>
      String((await clientOf(credentials).getToken({ scope })).token.access_token),
    use: (token) => statusOf(service, token),
    introspect: (token, credentials) => introspect(service, token, credentials),
    revoke: (token, credentials) =>
      clientOf(credentials).createToken({ access_token: token }).revoke('access_token'),
  };
};

/** It only fetches tokens, with credentials in the body; axios does the rest. */
export const withAxiosOauthClient = (service: Service): ForeignClient => {
  const http = axios.create();
  const form = (endpoint: 'introspect' | 'revoke', token: string, { clientId, clientSecret }: Credentials) =>
    http.post(
      endpointOf(service, endpoint),
      new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret }),
    );
  return {
    name: 'axios-oauth-client',
    fetch: async ({ clientId, clientSecret }) =>
      (await clientCredentials(http, endpointOf(service, 'token'), clientId, clientSecret)(scope))
        .access_token,
    use: async (token) => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await http.get(listOf(service), { headers, validateStatus: () => true })).status;
    },
    introspect: async (token, credentials) => (await form('introspect', token, credentials)).data.active,
    revoke: async (token, credentials) => {
      await form('revoke', token, credentials);
    },
  };
};

/** It fetches tokens and signs requests with them. */
export const withClientOauth2 = (service: Service): ForeignClient => {
  const clientOf = ({ clientId, clientSecret }: Credentials) =>
    new ClientOAuth2({
      clientId,
      clientSecret,
      accessTokenUri: endpointOf(service, 'token'),
      scopes: scope.split(' '),
    });
  return {
    name: 'client-oauth2',
    fetch: async (credentials) => (await clientOf(credentials).credentials.getToken()).accessToken,
    use: async (token, credentials) => {
      const { url, headers } = clientOf(credentials)
        .createToken(token, '', 'bearer', {})
        .sign({ url: listOf(service), headers: {} });
      return (await fetch(url, { headers: headers as Record<string, string> })).status;
    },
    introspect: (token, credentials) => introspect(service, token, credentials),
    revoke: async (token, credentials) => {
      await form(service, 'revoke', { token, credentials });
    },
  };
};

const statusOf = async (service: Service, token: string) =>
  (await fetch(listOf(service), { headers: { Authorization: `Bearer ${token}` } })).status;

const introspect = async (service: Service, token: string, credentials: Credentials) =>
  ((await (await form(service, 'introspect', { token, credentials })).json()) as { active: boolean }).active;

/** For what a library has no word of its own: a form with Basic. */
const form = async (
  service: Service,
  endpoint: 'introspect' | 'revoke',
  { token, credentials }: { token: string; credentials: Credentials },
) => {
  const basic = btoa(`${credentials.clientId}:${credentials.clientSecret}`);
  const answer = await fetch(endpointOf(service, endpoint), {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}` },
    body: new URLSearchParams({ token }),
  });
  if (!answer.ok) throw new Error(`${endpoint} answered ${answer.status}`);
  return answer;
};
