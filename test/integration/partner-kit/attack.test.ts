import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { receiverUrlOf, startReceiver } from '../../../localstack/webhook-receiver/receiver.ts';
import { attack } from '../../../partner-kit/src/attack/attack.ts';
import type { AttackDeps } from '../../../partner-kit/src/attack/target.ts';
import { createPost } from '../../../partner-kit/src/samples/post.ts';
import { randomFrom } from '../../support/builders/random.ts';
import {
  atMost,
  careful,
  type Decisions,
  type Message,
  oneAtATime,
  type PartnerReceiver,
  readAll,
  readUpTo,
  startPartnerReceiver,
} from '../../support/receivers/careful-receiver.ts';
import { root as repository } from '../../support/repository.ts';
import { freePortPair } from '../../support/stage/free-port-pair.ts';

const signature = 'Sv7uGd0rQm3kYt5wLx9bNc2hFj4pZe8a';
const source = 'svc.local.online-payments';
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const depsOf = (limitMs: number, stateUrl?: string): AttackDeps => {
  const random = randomFrom(7);
  const ids = { given: 0 };
  return {
    post: createPost({ nowMs: () => performance.now(), limitMs }),
    now: () => new Date('2026-11-22T12:00:00Z'),
    newId: () => {
      ids.given += 1;
      return `00000000-0000-4000-8000-${String(ids.given).padStart(12, '0')}`;
    },
    randomText: (length) => Array.from({ length }, () => random.integer(0, 35).toString(36)).join(''),
    pause: () => new Promise(setImmediate),
    readState:
      stateUrl === undefined
        ? undefined
        : async (uuid) => (await fetch(stateUrl.replace('{uuid}', uuid))).text(),
  };
};

/** The names of the checks that a receiver breaks. */
const brokenBy = async (wrong: Partial<Decisions>, { withState = false, limitMs = 5_000 } = {}) => {
  const receiver: PartnerReceiver = await startPartnerReceiver({ signature, source }, wrong);
  stops.push(receiver.stop);
  const deps = depsOf(limitMs, withState ? receiver.stateUrl : undefined);
  const { results } = await attack({ url: receiver.url, signature, source }, deps);
  return results.filter(({ verdict }) => verdict === 'broken').map(({ name }) => name);
};

describe('KIT-20 an attack finds what is wrong with a receiver, and nothing else', () => {
  test('a careful receiver keeps every rule, by its answers and by its state', async () => {
    expect(await brokenBy({}, { withState: true })).toEqual([]);
  });

  const everyRefusal = [
    'wrong-value',
    'near-value',
    'missing-value',
    'wrong-value-of-a-test',
    'verify-first',
  ];
  const refuseIf = (isWrong: boolean) => {
    if (isWrong) throw new Error('not foreseen');
  };
  const expectElement = ({ detail: { uuid, status, ndMeta, ...elements }, ...message }: Message) =>
    refuseIf(message['detail-type'] === 'TransactionUpdated' && Object.keys(elements).length === 0);
  const exactNames = async ({ rawHeaders }: IncomingMessage) =>
    rawHeaders.some((name) => name.startsWith('x-')) ? 401 : undefined;
  const largeOnly = (length: number) => async (request: IncomingMessage) => readUpTo(request, length);

  test.each<[string, Partial<Decisions>, string[]]>([
    ['takes any value', { isOurs: () => true }, [...everyRefusal, 'learns-from-nobody-else']],
    [
      'looks at a value only where there is one',
      { isOurs: (value, accepted) => !value || careful.isOurs(value, accepted) },
      ['missing-value'],
    ],
    [
      'compares the beginning of a value',
      { isOurs: (value = '', accepted) => value !== '' && accepted.some((one) => one.startsWith(value)) },
      ['near-value'],
    ],
    [
      'compares one character too few',
      { isOurs: (value = '', [own = '']) => own.startsWith(value) && value.length >= own.length - 1 },
      ['near-value'],
    ],
    [
      'disregards what follows a value',
      { isOurs: (value = '', [own = '']) => value.startsWith(own) },
      ['near-value'],
    ],
    [
      'disregards letter case',
      { isOurs: (value = '', [own = '']) => value.toLowerCase() === own.toLowerCase() },
      ['near-value'],
    ],
    ['refuses with 400', { refusal: 400 }, everyRefusal.slice(0, -1)],
    ['learns a next value from anybody', { learns: () => true }, ['learns-from-nobody-else']],
    ['takes every environment', { isOurSource: () => true }, ['other-environment', 'near-source']],
    ['compares the end of a source', { isOurSource: (given, own) => given.endsWith(own) }, ['near-source']],
    ['answers a copy with 409', { copy: 409 }, ['duplicate', 'duplicates-at-once', 'replay']],
    ['refuses what begins in the middle', { gap: 409 }, ['out-of-order', 'gap', 'deletion']],
    ['refuses a type that it does not know', { unknownType: 400 }, ['unknown-type']],
    [
      'reads an element that is null',
      { reads: ({ detail }) => void Object.values(detail).map((one) => Object.keys(one as object)) },
      ['null-elements'],
    ],
    ['expects an element', { reads: expectElement }, ['no-element', 'omitted']],
    [
      'expects a transaction',
      { reads: ({ detail }) => void detail.ndMeta.group },
      ['test-message', 'unknown-type'],
    ],
    ['knows nothing of deletions', { reads: ({ detail }) => refuseIf(detail.isDeleted === 1) }, ['deletion']],
    [
      'knows the elements of today',
      { reads: ({ detail }) => refuseIf('warranty' in detail) },
      ['unknown-members'],
    ],
    ['wants header names as they are sent', { first: exactNames }, ['header-names']],
    [
      'knows no next value',
      { first: async ({ headers }) => ('x-webhook-signature-next' in headers ? 400 : undefined) },
      ['next-value'],
    ],
    ['reads all before it verifies', { first: readAll }, ['verify-first', 'huge']],
    ['fails at a GET', { get: 500 }, ['get']],
    ['reads no more than 32 kB', { readBody: largeOnly(32_768) }, ['largest']],
  ])('a receiver that %s', async (_what, wrong, names) => {
    expect(await brokenBy(wrong)).toEqual(names);
  });

  // A machine with much other work may add to what is found.
  test.each<[string, Partial<Decisions>, string]>([
    ['does not answer in time', { answers: ({ detail }) => detail.isDeleted !== 1 }, 'deletion'],
    ['reads one message at a time', { first: oneAtATime() }, 'slow'],
    ['works on four messages at once', { first: atMost(4) }, 'burst'],
  ])('a receiver that %s', async (_what, wrong, name) => {
    expect(await brokenBy(wrong, { limitMs: 700 })).toContain(name);
  });

  test('a receiver that redirects is asked nothing more', async () => {
    expect(await brokenBy({ first: async () => 308 })).toEqual(['takes-ours']);
  });

  test.each<[string, Partial<Decisions>, string[]]>([
    [
      'applies a copy again',
      { knowsIds: false, isOlder: ({ version }, { to }) => to < version, takesNotes: true },
      ['duplicate', 'duplicates-at-once'],
    ],
    ['applies what is older', { isOlder: () => false }, ['older']],
    ['applies what is older, and a copy', { isOlder: () => false, knowsIds: false }, ['replay', 'older']],
    ['moves its version by a completion', { movesByCompleted: true }, ['completed-outside']],
  ])('a receiver that %s is seen by its state', async (_what, wrong, names) => {
    expect(await brokenBy(wrong)).toEqual([]);
    expect(await brokenBy(wrong, { withState: true })).toEqual(names);
  });
});

test('KIT-21 the demo receiver keeps every rule, and shows what it made of copies and of order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const port = await freePortPair();
  const receiver = await startReceiver({
    ...{ port, source, file: join(folder, 'webhooks.db') },
    signatureOf: (partner) => (partner === 'acme' ? signature : undefined),
    say: () => {},
    clock: () => new Date('2026-11-22T12:00:00Z'),
    conditionOf: () => 'well',
  });
  stops.push(
    () => receiver.stop(),
    () => rmSync(folder, { recursive: true }),
  );
  const url = `${receiverUrlOf(port)}/acme`;

  const score = await attack({ url, signature, source }, depsOf(5_000, `${url}/transactions/{uuid}`));

  expect(score.results.filter(({ verdict }) => verdict !== 'kept')).toEqual([]);
});

test('KIT-20 the receiver of webhooks.md keeps every rule, and learns no next value, which is allowed', async () => {
  const guide = readFileSync(join(repository, 'docs/webhooks.md'), 'utf8');
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(guide) ?? [];
  const PORT = String(await freePortPair());
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { SIGNATURE: signature, SOURCE: source, PORT },
    stdio: 'ignore',
  });
  stops.push(() => child.kill());
  const url = `http://127.0.0.1:${PORT}/`;
  await answering(url);

  const { results } = await attack({ url, signature, source }, depsOf(5_000));

  expect(
    results.filter(({ verdict }) => verdict !== 'kept').map(({ name, verdict }) => [name, verdict]),
  ).toEqual([['learns-next-value', 'unseen']]);
});

/** It says nothing when it begins to listen. */
const answering = async (url: string): Promise<void> => {
  for (let isUp = false; !isUp; await new Promise(setImmediate))
    isUp = await fetch(url).then(
      () => true,
      () => false,
    );
};
