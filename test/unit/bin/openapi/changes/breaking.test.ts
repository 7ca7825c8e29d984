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

const breaking: [string, Parts, Parts, string[]][] = [
  ['a parameter that is gone', { parameters: [inQuery('colour', text)] }, {}, ['query colour is removed']],
  [
    'a parameter that is new and required',
    {},
    { parameters: [inQuery('colour', text, true)] },
    ['query colour is required now'],
  ],
  [
    'a parameter that is required now',
    { parameters: [inQuery('colour', text)] },
    { parameters: [inQuery('colour', text, true)] },
    ['query colour is required now'],
  ],
  [
    'a parameter that takes fewer words',
    { parameters: [inQuery('colour', { type: 'string', enum: ['red', 'blue'] })] },
    { parameters: [inQuery('colour', { type: 'string', enum: ['red'] })] },
    ['query colour "blue", where ["red"] is known'],
  ],
  [
    'a body that is required now',
    { body: car({}), bodyIsRequired: false },
    { body: car({}) },
    ['body is required now'],
  ],
  [
    'a member of a body that is refused now',
    { body: car({ colour: text }) },
    { body: car({}) },
    ['body colour is removed'],
  ],
  [
    'a member of a body that is required now',
    { body: car({ colour: text }) },
    { body: car({ colour: text }, ['colour']) },
    ['body colour is required now'],
  ],
  [
    'a member of a body that may be null no more',
    { body: car({ colour: textOrNull }) },
    { body: car({ colour: text }) },
    ['body colour null, where string is known'],
  ],
  [
    'a shorter text in a list of a body',
    { body: car({ extras: { type: 'array', items: car({ name: { type: 'string', maxLength: 200 } }) } }) },
    { body: car({ extras: { type: 'array', items: car({ name: { type: 'string', maxLength: 100 } }) } }) },
    ['body extras[].name maxLength 200, where 100 is known'],
  ],
  [
    'a pattern that is new',
    { body: car({ hash: text }) },
    { body: car({ hash: { type: 'string', pattern: '^a' } }) },
    ['body hash pattern free, where ^a is known'],
  ],
  [
    'an open object that is closed now',
    { body: car({ vehicle: { type: 'object' } }) },
    { body: car({ vehicle: car({}) }) },
    ['body vehicle takes no other members any more'],
  ],
  [
    'fewer items',
    { body: { type: 'array', items: text } },
    { body: { type: 'array', items: text, maxItems: 3 } },
    ['body maxItems unlimited, where 3 is known'],
  ],
  [
    'more items at least',
    { body: { type: 'array', items: text } },
    { body: { type: 'array', items: text, minItems: 1 } },
    ['body minItems unlimited, where 1 is known'],
  ],
  [
    'a longer text at least',
    { body: car({ name: text }) },
    { body: car({ name: { type: 'string', minLength: 1 } }) },
    ['body name minLength unlimited, where 1 is known'],
  ],
  [
    'a smaller greatest number',
    { body: car({ doors: { type: 'integer', maximum: 5 } }) },
    { body: car({ doors: { type: 'integer', maximum: 3 } }) },
    ['body doors maximum 5, where 3 is known'],
  ],
  [
    'no negative number any more',
    { body: car({ balance: { type: 'integer' } }) },
    { body: car({ balance: { type: 'integer', minimum: 0 } }) },
    ['body balance minimum unlimited, where 0 is known'],
  ],
  [
    'a larger least number',
    { body: car({ doors: { type: 'integer', minimum: 0 } }) },
    { body: car({ doors: { type: 'integer', minimum: 2 } }) },
    ['body doors minimum 0, where 2 is known'],
  ],
  [
    'a member of an answer that is gone',
    { answer: car({ colour: text }) },
    { answer: car({}) },
    ['200 colour is removed'],
  ],
  [
    'a member of an answer that may be absent now',
    { answer: car({ colour: text }, ['colour']) },
    { answer: car({ colour: text }) },
    ['200 colour may be absent now'],
  ],
  [
    'a member of an answer that may be null now',
    { answer: car({ colour: text }) },
    { answer: car({ colour: textOrNull }) },
    ['200 colour null, where string is known'],
  ],
  [
    'a word of an answer that is new',
    { answer: car({ state: { const: 'new', type: 'string' } }) },
    { answer: car({ state: { enum: ['new', 'used'], type: 'string' } }) },
    ['200 state "used", where ["new"] is known'],
  ],
  [
    'an answer in a component that another name hides',
    { answer: { $ref: '#/components/schemas/Car' }, components: { Car: car({ colour: text }) } },
    {
      answer: { $ref: '#/components/schemas/Car' },
      components: { Car: car({ colour: { type: 'integer' } }) },
    },
    ['200 colour integer, where string is known'],
  ],
  [
    'a header of an answer that is gone',
    { headers: { ETag: { schema: text } } },
    {},
    ['200 header ETag is removed'],
  ],
  [
    'a header of an answer that may be absent now',
    { headers: { ETag: { schema: text, required: true } } },
    { headers: { ETag: { schema: text } } },
    ['200 header ETag may be absent now'],
  ],
  [
    'a header of an answer that has other words',
    { headers: { Replayed: { schema: { type: 'string', const: 'true' } } } },
    { headers: { Replayed: { schema: { type: 'string', enum: ['true', 'maybe'] } } } },
    ['200 header Replayed "maybe", where ["true"] is known'],
  ],
  [
    'a scope more',
    { security: [{ token: ['read'] }] },
    { security: [{ token: ['read', 'write'] }] },
    ['token is not enough any more'],
  ],
];

describe('OA-4 callers of the last released document are broken by', () => {
  test.each(breaking)('%s', (_, before, after, expected) => {
    const found = breakingChanges(pathWith(before), pathWith(after));

    expect(found).toEqual(expected.map((what) => ({ operation: 'POST /car', what })));
  });

  test('an operation, an answer and a media type that are gone', () => {
    const before = pathWith({ answer: text });
    const withoutAnswer = { ...about, paths: { '/car': { post: { responses: {} } } } };
    const asXml = pathWith({});
    asXml.paths = {
      '/car': {
        post: { responses: { '200': { description: '', content: { 'text/xml': { schema: text } } } } },
      },
    };

    expect(breakingChanges(before, { ...about, paths: {} })).toEqual([
      { operation: 'POST /car', what: 'is removed' },
    ]);
    expect(breakingChanges(before, withoutAnswer)).toEqual([
      { operation: 'POST /car', what: '200 is removed' },
    ]);
    expect(breakingChanges(before, asXml)).toEqual([
      { operation: 'POST /car', what: '200 application/json is removed' },
    ]);
  });

  test('a webhook as by an answer: what is sent to them may lose nothing, and gain no word', () => {
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
  ['a parameter more', {}, { parameters: [inQuery('colour', text)] }],
  ['a member of a body more', { body: car({}) }, { body: car({ colour: text }) }],
  ['a member of an answer more', { answer: car({}) }, { answer: car({ colour: text }) }],
  ['a longer text', { body: { type: 'string', maxLength: 9 } }, { body: text }],
  ['a shorter answer', { answer: text }, { answer: { type: 'string', maxLength: 9 } }],
  ['a member of a body that may be null now', { body: car({ a: text }) }, { body: car({ a: textOrNull }) }],
  ['null in other words', { answer: textOrNull }, { answer: { type: ['string', 'null'] } }],
  ['a whole number where any was', { answer: { type: 'number' } }, { answer: { type: 'integer' } }],
  ['anything in a request', { body: text }, { body: {} }],
  ['another way in', { security: [{ token: [] }] }, { security: [{ token: [] }, { client: [] }] }],
  [
    'a new name of a component',
    { answer: { $ref: '#/components/schemas/Car' }, components: { Car: car({ colour: text }) } },
    { answer: { $ref: '#/components/schemas/Auto' }, components: { Auto: car({ colour: text }) } },
  ],
];
test.each(harmless)('OA-4 nobody is broken by %s', (_, before, after) => {
  expect(breakingChanges(pathWith(before), pathWith(after))).toEqual([]);
});

test('OA-4 the document of today breaks nobody who reads the document of today', () => {
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

  test('is told until the changelog declares it, by operation and difference, after the release', () => {
    const line = 'POST /car: 200 colour is removed';

    expect(undeclared(release, now, [])).toEqual([line]);
    expect(undeclared(release, now, [{ ...entry, operation: 'GET /car' }])).toEqual([line]);
    expect(undeclared(release, now, [{ ...entry, date: '2026-11-22' }])).toEqual([line]);
    expect(undeclared(release, now, [{ ...entry, difference: '200 price is removed' }])).toEqual([line]);
    expect(undeclared(release, now, [{ ...without, kind: 'changed' }])).toEqual([line]);
    expect(undeclared(release, now, [entry])).toEqual([]);
  });

  test('is none before the first release', () => {
    expect(undeclared(undefined, now, [])).toEqual([]);
  });

  test('is declared by a date, an operation, its difference and a sentence, and by nothing less', () => {
    expect(changelogSchema.safeParse([entry]).success).toBe(true);
    for (const faulty of [
      { ...entry, date: '22.11.2026' },
      { ...entry, kind: 'nice' },
      { ...entry, operation: '/car' },
      { ...entry, sentence: 'No colour' },
      { ...entry, author: 'me' },
      without,
    ]) {
      expect(changelogSchema.safeParse([faulty]).success).toBe(false);
    }
  });
});

test('OA-4 the changelog has the newest first, and names operations of the document', () => {
  const changelog = readChangelog();
  const dates = changelog.map(({ date }) => date);
  const known = JSON.stringify(description.paths);

  expect(dates).toEqual(dates.toSorted().reverse());
  for (const { kind, operation } of changelog)
    if (kind === 'added') expect(known).toContain(JSON.stringify(operation.split(' ')[1]));
});

test('OA-4 the last release is the newest tag behind the commit, and none before the first', () => {
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
