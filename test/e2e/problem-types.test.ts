import { beforeAll, expect, test } from '@jest/globals';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { demoPrograms, firstOf, northgates } from '../support/stage/demo-stage.ts';
import { aPartnerProgram, send } from '../support/stage/partner-client.ts';
import { type OpenStage, sharedStage } from '../support/stage/shared-stage.ts';

let stage: OpenStage;
let program: Awaited<ReturnType<typeof demoPrograms>>['northgate'];
let reader: typeof program;
beforeAll(async () => {
  stage = await sharedStage();
  program = (await demoPrograms()).northgate;
  const credentials = stage.stack.partners.find(({ name }) => name === 'northgate-crm');
  if (!credentials) throw new Error('The stage has no such partner');
  reader = await aPartnerProgram(stage, credentials, 'nop2/read');
}, 240_000);

const lists = '/api/v2/transaction';
const { uuid } = firstOf(northgates, ({ status }) => status === 0);
const one = `${lists}/${uuid}`;
const asJson = { 'Content-Type': 'application/json' };

/** Requests that are refused, by the paragraph that their answer has to lead to; none of them changes anything. */
const refused: Record<string, () => Promise<{ text: string }>> = {
  'invalid-credentials at V2': () => send(stage, lists),
  'invalid-credentials at V1': () =>
    send(stage, '/api/transaction', { headers: { Authorization: 'Bearer e30.e30.e30' } }),
  'insufficient-scope at V2': () => reader.write('PATCH', one, {}),
  'not-found at V2': () => program.get(`${lists}/none`),
  'transaction-not-found at V2': () =>
    program.write('POST', '/api/v2/payment', { transaction: 'none', type: 1, value: '1.00', status: 0 }),
  'not-found at the gateway': () => program.get('/nothing-here'),
  'not-found at the pages': () => send(stage, '/docs/nothing-here'),
  'method-not-allowed at V1': () => send(stage, '/api/transaction', { method: 'DELETE' }),
  'bad-request at V2': () => program.get(`${lists}?${'a=1&'.repeat(101)}`),
  'precondition-failed at V2': () => program.write('PATCH', one, {}, { 'If-Match': '"none"' }),
  'content-too-large at V2': () => program.write('PATCH', one, { name: 'x'.repeat(100_001) }),
  'content-too-large at the gateway': () =>
    program.get('/api/v2/payment', { method: 'POST', headers: asJson, body: ' '.repeat(10_485_761) }),
  'unsupported-media-type at V2': () =>
    program.get(one, { method: 'PATCH', headers: { 'Content-Type': 'text/plain' }, body: '{}' }),
  'unsupported-content-encoding at V2': () => program.write('PATCH', one, {}, { 'Content-Encoding': 'gzip' }),
  'number-out-of-range at V2': () =>
    program.get(one, { method: 'PATCH', headers: asJson, body: '{"extras":{"a":1e-400}}' }),
  'malformed-body at V2': () => program.get(one, { method: 'PATCH', headers: asJson, body: '[]' }),
  'invalid-parameters at V2': () => program.get(`${lists}?filter[nope]=1`),
  // Before any operation, so that none is described with it.
  'headers-too-large at the gateway': async () => {
    const answer = await fetch(`${stage.baseUrl}${lists}?${'a'.repeat(10_240)}`);
    return { text: await answer.text() };
  },
};

test('ERR-1 the type of every refusal leads to its paragraph, from V1, V2, the pages and the gateway', async () => {
  const ends: [string, string][] = [];
  for (const [name, ask] of Object.entries(refused)) {
    const { type } = JSON.parse((await ask()).text);
    // As a client resolves it (RFC 9457 section 3.1.1).
    ends.push([name, await paragraphAt(new URL(type, `${stage.baseUrl}${lists}`))]);
  }

  expect(ends).toEqual(Object.keys(refused).map((name) => [name, `${name.split(' ')[0]}, explained`]));
});

/** The name of the paragraph, where the page that the stage serves has one by that name which says a status. */
const paragraphAt = async ({ origin, pathname, hash }: URL): Promise<string> => {
  const page = await (await describedFetch(`${origin}${pathname}`)).text();
  const id = hash.slice(1);
  const words = page.split(` id="${id}">`)[1]?.split('<h2')[0] ?? '';
  return `${id}, ${/<p><strong>\d{3} /.test(words) ? 'explained' : 'not explained'}`;
};
