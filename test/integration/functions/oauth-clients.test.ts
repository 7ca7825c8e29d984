import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { createLocalJWKSet, jwtVerify } from 'jose';
import * as oauth4webapi from 'oauth4webapi';
import * as openidClient from 'openid-client';
import { createProtectedApi } from '../../support/apis/protected-api.ts';
import {
  accessKeys,
  basic,
  createTokenService,
  formHeaders,
  grantBody,
  partner,
  secret,
  toEvent,
} from '../../support/apis/token-service.ts';

const scope = 'nop2/read nop2/write';
const apiAudience = 'https://api.example/api/v2';
let url: string;
let handle: (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;
/** Requests in as proxy events, results out. */
const front = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://front');
  const event = toEvent({
    ...{ method: request.method ?? '', path: pathname, query: Object.fromEntries(searchParams) },
    headers: Object.fromEntries(
      Object.entries(request.headersDistinct).map(([name, values]) => [name, values ?? []]),
    ),
    body: await text(request),
  });
  const { statusCode, headers, body } = await handle(event);
  response.writeHead(statusCode, headers as Record<string, string>).end(body);
});

/** Clients go by the time of this machine, so the service does too. */
const clock = () => new Date();

beforeAll(async () => {
  await once(front.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const service = createTokenService({ issuer: url, makeUuid: randomUUID, clock });
  const { partners, denylist } = service;
  const stores = { partners, denylist };
  const api = createProtectedApi(accessKeys, [], { issuer: url, clock, stores });
  handle = (event) =>
    event.path.startsWith('/api')
      ? api.handler(event as Parameters<typeof api.handler>[0], {} as Context)
      : service.handler(event, {} as Context);
});
afterAll(async () => {
  front.closeAllConnections();
  await new Promise((resolve) => front.close(resolve));
});

const listStatus = async (token: unknown) =>
  (await fetch(`${url}/api/v2/transaction`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('openid-client', () => {
  const discover = (authentication?: openidClient.ClientAuth) =>
    openidClient.discovery(new URL(url), partner.clientId, secret, authentication, {
      algorithm: 'oauth2',
      execute: [openidClient.allowInsecureRequests],
    });

  test('M-12: discovery with defaults works for a grant and a V2 call', async () => {
    const configuration = await discover();
    const grant = await openidClient.clientCredentialsGrant(configuration, { scope });

    expect([grant.token_type, grant.expires_in]).toEqual(['bearer', 3600]);
    const resource = new URL(`${url}/api/v2/transaction`);
    const answer = await openidClient.fetchProtectedResource(
      configuration,
      grant.access_token,
      resource,
      'GET',
    );
    expect(answer.status).toBe(200);
  });

  test('I-01 V-01: it introspects and revokes its token with the discovered addresses', async () => {
    const configuration = await discover();
    const { access_token } = await openidClient.clientCredentialsGrant(configuration, { scope });
    const ask = () => openidClient.tokenIntrospection(configuration, access_token);

    expect(await ask()).toMatchObject({ active: true, client_id: partner.clientId, scope });
    await openidClient.tokenRevocation(configuration, access_token);
    expect(await ask()).toEqual({ active: false });
    expect(await listStatus(access_token)).toBe(401);
  });

  test('Basic works as well', async () => {
    const configuration = await discover(openidClient.ClientSecretBasic(secret));
    const grant = await openidClient.clientCredentialsGrant(configuration);

    expect(grant.scope).toBe(scope);
  });

  test('a wrong secret is refused as invalid_client', async () => {
    const configuration = await discover(openidClient.ClientSecretBasic('wrong'));
    await expect(openidClient.clientCredentialsGrant(configuration, { scope })).rejects.toMatchObject({
      cause: [{ scheme: 'basic' }],
    });
  });
});

describe('oauth4webapi', () => {
  const insecure = { [oauth4webapi.allowInsecureRequests]: true };
  const server = async () => {
    const issuer = new URL(url);
    const answer = await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    return oauth4webapi.processDiscoveryResponse(issuer, answer);
  };
  const client = { client_id: partner.clientId };
  const grantFrom = async (authentication: oauth4webapi.ClientAuth) => {
    const as = await server();
    const answer = await oauth4webapi.clientCredentialsGrantRequest(
      as,
      client,
      authentication,
      { scope },
      insecure,
    );
    return oauth4webapi.processClientCredentialsResponse(as, client, answer);
  };

  test.each([
    ['Basic', oauth4webapi.ClientSecretBasic(secret)],
    ['the body', oauth4webapi.ClientSecretPost(secret)],
  ])('a grant with %s is accepted', async (_, authentication) => {
    expect((await grantFrom(authentication)).expires_in).toBe(3600);
  });

  test('I-01 V-01: it introspects and revokes its token', async () => {
    const [as, { access_token }] = [await server(), await grantFrom(oauth4webapi.ClientSecretBasic(secret))];
    const by = oauth4webapi.ClientSecretBasic(secret);
    const introspect = async () =>
      oauth4webapi.processIntrospectionResponse(
        as,
        client,
        await oauth4webapi.introspectionRequest(as, client, by, access_token, insecure),
      );

    expect(await introspect()).toMatchObject({ active: true, sub: partner.clientId });
    const revoked = await oauth4webapi.revocationRequest(as, client, by, access_token, insecure);
    await expect(oauth4webapi.processRevocationResponse(revoked)).resolves.toBeUndefined();
    expect(await introspect()).toEqual({ active: false });
    expect(await listStatus(access_token)).toBe(401);
  });

  test('J-10: it accepts the access token as RFC 9068 requires', async () => {
    const { access_token } = await grantFrom(oauth4webapi.ClientSecretBasic(secret));
    const request = new Request(`${url}/api`, { headers: { authorization: `Bearer ${access_token}` } });
    const claims = await oauth4webapi.validateJwtAccessToken(await server(), request, apiAudience, insecure);

    expect(claims).toMatchObject({ client_id: partner.clientId, sub: partner.clientId, scope });
  });
});

const post = async (headers: Record<string, string>, body = grantBody) => {
  const answer = await fetch(`${url}/oauth2/token`, { method: 'POST', headers, body });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
};

test('J-11: jose verifies the token with the published keys', async () => {
  const { json } = await post({ ...formHeaders, authorization: basic(partner.clientId, secret) });
  const keys = (await (await fetch(`${url}/oauth2/jwks`)).json()) as { keys: [] };
  const { payload } = await jwtVerify(String(json.access_token), createLocalJWKSet(keys), {
    issuer: url,
    audience: apiAudience,
    typ: 'at+jwt',
  });

  expect(payload.client_id).toBe(partner.clientId);
});

test('O-51: a chunked body is read', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = httpRequest(`${url}/oauth2/token`, { method: 'POST', headers: formHeaders }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    call.on('error', reject);
    call.write(grantBody.slice(0, 10));
    call.end(grantBody.slice(10));
  });

  expect(status).toBe(200);
});
