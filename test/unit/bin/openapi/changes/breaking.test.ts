import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { oas31 } from 'zod-openapi';
import { breakingChanges } from '../../../../../bin/openapi/changes/breaking.ts';
import {
  changelogSchema,
  lastRelease,
  readChangelog,
  undeclared,
} from '../../../../../bin/openapi/changes/changelog.ts';
import { description } from '../../../../support/openapi/description.ts';

type Parts = {
  parameters?: oas31.ParameterObject[];
  body?: oas31.SchemaObject;
  bodyIsRequired?: boolean;
  answer?: oas31.SchemaObject;
  headers?: oas31.HeadersObject;
  security?: oas31.SecurityRequirementObject[];
  components?: { [name: string]: oas31.SchemaObject };
};

const operationOf = ({ parameters, body, bodyIsRequired, answer, headers, security }: Parts) => ({
  ...(parameters && { parameters }),
  ...(body && {
    requestBody: { required: bodyIsRequired ?? true, content: { 'application/json': { schema: body } } },
  }),
  ...(security && { security }),
  responses: {
    '200': {
      description: 'Done.',
      ...(headers && { headers }),
      ...(answer && { content: { 'application/json': { schema: answer } } }),
    },
  },
});

const about = { openapi: '3.1.1', info: { title: 'Cars', version: '1' } };
const pathWith = (parts: Parts): oas31.OpenAPIObject => ({
  ...about,
  paths: { '/car': { post: operationOf(parts) } },
  components: { schemas: parts.components ?? {} },
});
const webhookWith = (parts: Parts): oas31.OpenAPIObject => ({
  ...about,
  webhooks: { CarSold: { post: operationOf(parts) } },
});

const car = (properties: { [name: string]: oas31.SchemaObject }, required: string[] = []) =>
  ({ type: 'object', properties, required, additionalProperties: false }) satisfies oas31.SchemaObject;
const text: oas31.SchemaObject = { type: 'string' };
const textOrNull: oas31.SchemaObject = { anyOf: [text, { type: 'null' }] };
const inQuery = (name: string, schema: oas31.SchemaObject, required = false) =>
  ({ in: 'query', name, schema, required }) satisfies oas31.ParameterObject;

const asked = (schema: oas31.SchemaObject, required = false): Parts => ({
  parameters: [inQuery('colour', schema, required)],
});
const heading = (ETag: oas31.HeaderObject): Parts => ({ headers: { ETag } });
const words = (...known: string[]): oas31.SchemaObject => ({ type: 'string', enum: known });
const texts = (bounds = {}): oas31.SchemaObject => ({ type: 'array', items: text, ...bounds });
const doors = (bounds = {}) => ({ body: car({ doors: { type: 'integer', ...bounds } }) });
const named = (maxLength: number) => texts({ items: car({ name: { type: 'string', maxLength } }) });
const ofCar = { $ref: '#/components/schemas/Car' };
const [coloured, bare] = [car({ colour: text }), car({})];

/** A change's expected line, and the document before and after it. */
const breaking: [string, Parts, Parts][] = [
  ['query colour is removed', asked(text), {}],
  ['query colour is required now', {}, asked(text, true)],
  ['query colour is required now', asked(text), asked(text, true)],
  ['query colour "blue", where ["red"] is known', asked(words('red', 'blue')), asked(words('red'))],
  ['body is required now', { body: bare, bodyIsRequired: false }, { body: bare }],
  ['body colour is removed', { body: coloured }, { body: bare }],
  ['body colour is required now', { body: coloured }, { body: car({ colour: text }, ['colour']) }],
  ['body colour null, where string is known', { body: car({ colour: textOrNull }) }, { body: coloured }],
  ['body [].name maxLength 200, where 100 is known', { body: named(200) }, { body: named(100) }],
  ['body pattern free, where ^a is known', { body: text }, { body: { type: 'string', pattern: '^a' } }],
  [
    'body a takes no other members any more',
    { body: car({ a: { type: 'object' } }) },
    { body: car({ a: bare }) },
  ],
  ['body maxItems unlimited, where 3 is known', { body: texts() }, { body: texts({ maxItems: 3 }) }],
  ['body minItems unlimited, where 1 is known', { body: texts() }, { body: texts({ minItems: 1 }) }],
  ['body minLength unlimited, where 1 is known', { body: text }, { body: { type: 'string', minLength: 1 } }],
  ['body doors maximum 5, where 3 is known', doors({ maximum: 5 }), doors({ maximum: 3 })],
  ['body doors minimum unlimited, where 0 is known', doors(), doors({ minimum: 0 })],
  ['body doors minimum 0, where 2 is known', doors({ minimum: 0 }), doors({ minimum: 2 })],
  ['200 colour is removed', { answer: coloured }, { answer: bare }],
  ['200 colour may be absent now', { answer: car({ colour: text }, ['colour']) }, { answer: coloured }],
  ['200 colour null, where string is known', { answer: coloured }, { answer: car({ colour: textOrNull }) }],
  ['200 "used", where ["new"] is known', { answer: { const: 'new' } }, { answer: words('new', 'used') }],
  [
    '200 colour integer, where string is known',
    { answer: ofCar, components: { Car: coloured } },
    { answer: ofCar, components: { Car: car({ colour: { type: 'integer' } }) } },
  ],
  ['200 header ETag is removed', heading({ schema: text }), {}],
  ['200 header ETag may be absent now', heading({ schema: text, required: true }), heading({ schema: text })],
  [
    '200 header ETag "b", where ["a"] is known',
    heading({ schema: words('a') }),
    heading({ schema: words('a', 'b') }),
  ],
  ['token is not enough any more', { security: [{ token: ['a'] }] }, { security: [{ token: ['a', 'b'] }] }],
];

describe('OA-4 callers of the last release break', () => {
  test.each(breaking)('%s', (what, before, after) => {
    expect(breakingChanges(pathWith(before), pathWith(after))).toEqual([{ operation: 'POST /car', what }]);
  });

  const xml = { description: '', content: { 'text/xml': { schema: text } } };
  test.each<[string, oas31.PathsObject, string]>([
    ['an operation', {}, 'is removed'],
    ['an answer', { '/car': { post: { responses: {} } } }, '200 is removed'],
    ['a media type', { '/car': { post: { responses: { '200': xml } } } }, '200 application/json is removed'],
  ])('%s that is gone', (_, paths, what) => {
    expect(breakingChanges(pathWith({ answer: text }), { ...about, paths })).toEqual([
      { operation: 'POST /car', what },
    ]);
  });

  test('a webhook breaks like a response: its messages may lose nothing and gain no enum value', () => {
    const before = webhookWith({ body: car({ state: { enum: ['new'], type: 'string' }, colour: text }) });
    const after = webhookWith({
      body: car({ state: { enum: ['new', 'used'], type: 'string' }, price: text }),
    });

    expect(breakingChanges(before, after)).toEqual([
      { operation: 'webhook CarSold', what: 'body colour is removed' },
      { operation: 'webhook CarSold', what: 'body state "used", where ["new"] is known' },
    ]);
  });
});

const harmless: [string, Parts, Parts][] = [
  ['a parameter more', {}, asked(text)],
  ['a member of a body more', { body: bare }, { body: coloured }],
  ['a member of an answer more', { answer: bare }, { answer: coloured }],
  ['a longer text', { body: { type: 'string', maxLength: 9 } }, { body: text }],
  ['a shorter answer', { answer: text }, { answer: { type: 'string', maxLength: 9 } }],
  ['a member of a body that may be null now', { body: car({ a: text }) }, { body: car({ a: textOrNull }) }],
  ['null in other words', { answer: textOrNull }, { answer: { type: ['string', 'null'] } }],
  ['a whole number where any was', { answer: { type: 'number' } }, { answer: { type: 'integer' } }],
  ['anything in a request', { body: text }, { body: {} }],
  ['another way in', { security: [{ token: [] }] }, { security: [{ token: [] }, { client: [] }] }],
  [
    'a new name of a component',
    { answer: ofCar, components: { Car: coloured } },
    { answer: { $ref: '#/components/schemas/Auto' }, components: { Auto: coloured } },
  ],
];
test.each(harmless)('OA-4 nobody breaks by %s', (_, before, after) => {
  expect(breakingChanges(pathWith(before), pathWith(after))).toEqual([]);
});

test('OA-4 the present document breaks no reader of the present document', () => {
  expect(breakingChanges(description, description)).toEqual([]);
});

describe('OA-4 a breaking change', () => {
  const release = { date: '2026-11-22', document: pathWith({ answer: car({ colour: text }) }) };
  const now = pathWith({ answer: car({}) });
  const entry = {
    date: '2026-11-30',
    kind: 'breaking',
    operation: 'POST /car',
    difference: '200 colour is removed',
    sentence: 'It has no colour.',
  } as const;
  const { difference: _, ...without } = entry;

  test('is reported until the changelog declares it, by operation and difference, after the release', () => {
    const line = 'POST /car: 200 colour is removed';

    expect(undeclared(release, now, [])).toEqual([line]);
    for (const other of [
      ...[{ operation: 'GET /car' }, { date: '2026-11-22' }, { difference: '200 price is removed' }],
    ])
      expect(undeclared(release, now, [{ ...entry, ...other }])).toEqual([line]);
    expect(undeclared(release, now, [{ ...without, kind: 'changed' }])).toEqual([line]);
    expect(undeclared(release, now, [entry])).toEqual([]);
    expect(undeclared(undefined, now, [])).toEqual([]);
  });

  test('is declared by a date, an operation, its difference and a sentence, and by nothing less', () => {
    expect(changelogSchema.safeParse([entry]).success).toBe(true);
    const faults = [
      { date: '22.11.2026' },
      { kind: 'nice' },
      { operation: '/car' },
      { sentence: 'No colour' },
    ];
    for (const faulty of [
      ...faults.map((fault) => ({ ...entry, ...fault })),
      { ...entry, author: 'me' },
      without,
    ])
      expect(changelogSchema.safeParse([faulty]).success).toBe(false);
  });
});

test('OA-4 the changelog has the newest entry first, and names operations of the document', () => {
  const changelog = readChangelog();
  const dates = changelog.map(({ date }) => date);
  const known = JSON.stringify(description.paths);

  expect(dates).toEqual(dates.toSorted().reverse());
  for (const { kind, operation } of changelog)
    if (kind === 'added') expect(known).toContain(JSON.stringify(operation.split(' ')[1]));
});

test('OA-4 the last release is the newest tag before the commit, and none before the first', () => {
  const place = mkdtempSync(join(tmpdir(), 'releases-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: place });
  const commit = (title: string) => {
    writeFileSync(join(place, 'docs/openapi.json'), JSON.stringify({ info: { title } }));
    git('add', '.');
    git('commit', '--quiet', '--message', title, '--date', '2027-03-04T10:00:00Z');
  };
  mkdirSync(join(place, 'docs'));
  git('init', '--quiet');
  commit('begun');
  expect(lastRelease(place)).toBeUndefined();
  for (const version of ['v1.9.0', 'v1.10.0']) {
    commit(version);
    git('tag', version);
  }
  commit('going on');

  expect(lastRelease(place)?.document).toEqual({ info: { title: 'v1.10.0' } });
  rmSync(place, { recursive: true });
});
