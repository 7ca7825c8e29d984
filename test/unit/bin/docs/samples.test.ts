import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import { type Description, type OperationPage, operationPages } from '../../../../bin/docs/description.ts';
import { samplesOf } from '../../../../bin/docs/samples.ts';
import { root } from '../../../support/repository.ts';

const description: Description = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));

const samplesAt = (operationId: string, parameters: Parameters<typeof samplesOf>[0]['parameters'] = []) => {
  const page = operationPages(description).find(({ operation }) => operation.operationId === operationId);
  return Object.fromEntries(
    samplesOf({ ...(page as OperationPage), parameters, origin: 'https://api.example' }).map(
      ({ label, source }) => [label, source.split('\n')],
    ),
  );
};
const query = (name: string, example: string) => ({ name, in: 'query', schema: {}, example });

test('DOC-13 a list sample has a filter in brackets: curl gets -g, other languages encode them', () => {
  const { curl, PHP, Python, TypeScript } = samplesAt('listTransactions', [
    query('filter[status]', '1'),
    query('page', '2'),
  ]);

  expect(curl).toEqual([
    'curl -g "https://api.example/api/v2/transaction?filter[status]=1" \\',
    '  -H "Authorization: Bearer $TOKEN"',
  ]);
  expect(PHP).toEqual([
    '<?php',
    "$request = curl_init('https://api.example/api/v2/transaction?' . http_build_query([",
    ...["    'filter[status]' => '1',", ']));', 'curl_setopt_array($request, ['],
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_HTTPHEADER => ["Authorization: Bearer $token"],',
    ...[']);', '$answer = json_decode(curl_exec($request), true);'],
  ]);
  expect(Python).toEqual([
    ...['import requests', '', 'answer = requests.get('],
    '    "https://api.example/api/v2/transaction",',
    ...['    params={', '        "filter[status]": "1",', '    },'],
    '    headers={"Authorization": f"Bearer {token}"},',
    ...[')', 'answer.raise_for_status()', 'print(answer.json())'],
  ]);
  expect(TypeScript).toEqual([
    ...['const query = new URLSearchParams({', "  'filter[status]': '1',", '});'],
    "const answer = await fetch('https://api.example/api/v2/transaction?' + query, {",
    "  headers: { Authorization: 'Bearer ' + token },",
    ...['});', 'console.log(await answer.json());'],
  ]);
});

const key = { name: 'Idempotency-Key', in: 'header', schema: {}, example: 'k-1' };
test.each([
  ['issueToken', 'curl', '  -u "$CLIENT_ID:$CLIENT_SECRET" \\'],
  ['issueToken', 'curl', '  --data-urlencode "grant_type=client_credentials" \\'],
  ['issueToken', 'PHP', '    CURLOPT_USERPWD => "$clientId:$clientSecret",'],
  ['issueToken', 'PHP', '    CURLOPT_POSTFIELDS => http_build_query(['],
  ['issueToken', 'Python', '    auth=(client_id, client_secret),'],
  ['issueToken', 'TypeScript', '  body: new URLSearchParams({'],
  ['createPayment', 'curl', '  -H "Idempotency-Key: k-1" \\'],
  ['createPayment', 'curl', '  -H "Content-Type: application/json" \\'],
  ['createPayment', 'PHP', "        'value' => '99.00',"],
  ['createPayment', 'Python', '        "value": "99.00",'],
  ['createPayment', 'TypeScript', "    value: '99.00',"],
  ['removeWebhook', 'curl', 'curl -X DELETE "https://api.example/api/v2/webhook" \\'],
])('DOC-13 the sample of %s in %s has the line %s', (operationId, language, line) => {
  expect(samplesAt(operationId, [key])[language]).toContain(line);
});

test('DOC-13 a response without a body is not read', () => {
  const { PHP, Python, TypeScript } = samplesAt('removeWebhook');

  expect([PHP?.at(-1), Python?.at(-1), TypeScript?.at(-1)]).toEqual([
    ...['curl_exec($request);', 'answer.raise_for_status()', 'console.log(answer.status);'],
  ]);
});

test('DOC-13 a webhook sample is the whole request that a receiver gets', () => {
  const { HTTP = [] } = samplesAt('onTransactionUpdated');

  expect(HTTP.slice(0, 5)).toEqual([
    'POST /your/webhook HTTP/1.1',
    'Host: you.example',
    'Content-Type: application/json',
    'X-Webhook-Signature: …',
    '',
  ]);
  expect(JSON.parse(HTTP.slice(5).join('\n'))).toMatchObject({ 'detail-type': 'TransactionUpdated' });
});

test('DOC-13 each sample in TypeScript compiles', () => {
  for (const page of operationPages(description).filter(({ path }) => path.startsWith('/'))) {
    const samples = samplesOf({ ...page, parameters: [], origin: 'https://api.example' });
    const { source = '' } = samples.find(({ lang }) => lang === 'typescript') ?? {};

    expect(() => transformSync(source, { loader: 'ts', format: 'esm' })).not.toThrow();
  }
});
