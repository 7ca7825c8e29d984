import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { operatorOf, shopOf } from '../support/stage/operator-of.ts';

const shop = 'https://shop.example';
let stage: ServiceStage;
beforeAll(async () => {
  stage = await openStage();
  await operatorOf(stage)(...shopOf('others', shop));
});
afterAll(() => stage.close());
endEngineAfterFile();

/** By node:http, because fetch does not let a caller set the host and the headers of browsers. */
const statusAt = async (url: string, headers: Record<string, string>, method = 'GET') => {
  const sent = request(url, { method, headers }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode as number;
};

const ofOtherPages: [what: string, headers: Record<string, string>][] = [
  ['a page of another origin', { origin: shop }],
  ['a page without an origin', { origin: 'null' }],
  ['an image or a script of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page on another port', { 'sec-fetch-site': 'same-site' }],
];

test.each(ofOtherPages)(
  'S-83 %s is refused at the AWS address and where there is no API',
  async (_, headers) => {
    const addresses = [
      stage.endpoints.aws,
      `${stage.endpoints.aws}/x`,
      `${stage.baseUrl}/stage.json`,
      `${stage.baseUrl}/api/nope`,
    ];
    const statuses = [];
    for (const address of addresses)
      for (const method of ['GET', 'POST', 'OPTIONS'])
        statuses.push(await statusAt(address, headers, method));

    expect(statuses).toEqual(Array(12).fill(403));
  },
);

test('V1-7 S-83 APIs answer pages of other origins as on AWS: V1 those of its shops, V2 nobody without a token', async () => {
  const headers = { origin: shop, 'sec-fetch-site': 'cross-site' };
  const paths = ['/api/transaction', '/api/v2/transaction', '/oauth2/jwks'];

  const asked = await Promise.all(paths.map((path) => statusAt(`${stage.baseUrl}${path}`, headers)));
  const elsewhere = await Promise.all(
    paths.map((path) => statusAt(`${stage.baseUrl}${path}`, { ...headers, host: 'evil.example' })),
  );
  const preflight = await stage.ask('OPTIONS', '/api/v2/transaction', {
    headers: { Origin: shop, 'Access-Control-Request-Method': 'GET' },
  });

  expect(asked).toEqual([200, 401, 200]);
  expect(elsewhere).toEqual([403, 403, 403]);
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});
