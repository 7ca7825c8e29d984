import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import {
  type Answer,
  type Description,
  type Operation,
  operationPages,
} from '../../../../bin/docs/description.ts';
import { trimmed } from '../../../../bin/docs/trimmed.ts';
import { root } from '../../../support/repository.ts';

const whole: Description = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
const copy = trimmed(whole, '/docs/problems') as Description;
const pages = operationPages(copy);

/** Nothing in the copy stands elsewhere. */
const answersOf = (operation: Operation | undefined) =>
  (operation?.responses ?? {}) as Record<string, Answer>;

test('DOC-13 each operation and webhook has its page, by its id', () => {
  const places = operationPages(whole).map(({ place }) => place);

  expect(places).toContain('reference/operations/list-transactions');
  expect(places).toContain('reference/webhooks/on-webhook-test');
  expect(new Set(places).size).toBe(places.length);
});

test('DOC-10 a response has no headers, and refusals are one table that links to their explanations', () => {
  for (const { operation } of pages)
    for (const [status, answer] of Object.entries(operation.responses)) {
      expect(answer).not.toHaveProperty('headers');
      expect(status).toMatch(/^([23]\d\d|Errors)$/);
    }
  const { Errors } = answersOf(copy.paths['/api/v2/transaction']?.get);

  expect(Errors?.description.split('\n')).toContainEqual(
    expect.stringMatching(
      /^\| 422 \| .+ \| \[`invalid-parameters`\]\(\/docs\/problems#invalid-parameters\).* \|$/,
    ),
  );
  expect(Errors).not.toHaveProperty('content');
});

test('DOC-10 refusals of the token service are distinguished by their error codes', () => {
  const { Errors } = answersOf(copy.paths['/oauth2/token']?.post);

  expect(Errors?.description).toMatch(/^\| 401 \| .+ \| `invalid_client` \|$/m);
});

test('DOC-10 a body is shown in its first media type, with the names of the others', () => {
  const { requestBody } = copy.paths['/api/v2/transaction/{uuid}']?.patch ?? {};

  expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/merge-patch+json']);
  expect(requestBody?.description).toContain('Also taken as `application/json`.');
});

test('DOC-10 the copy refers only to what it contains', () => {
  expect(JSON.stringify(copy)).not.toContain('"$ref"');
});

test('DOC-13 samples of the token service have its address, others that of the API', () => {
  const addresses = (path: string, method: 'get' | 'post') => {
    const { 'x-codeSamples': samples = [] } = copy.paths[path]?.[method] ?? {};
    return samples.map(({ source }) => /https:\/\/\w+/.exec(source)?.[0]);
  };

  expect(new Set(addresses('/oauth2/token', 'post'))).toEqual(new Set(['https://auth']));
  expect(new Set(addresses('/api/v2/payment', 'post'))).toEqual(new Set(['https://api']));
});
