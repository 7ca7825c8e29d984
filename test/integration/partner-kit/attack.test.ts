import { spawn } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { openReceiver } from '../../../localstack/embedded/receiver.ts';
import { openState } from '../../../localstack/embedded/state.ts';
import { attack } from '../../../partner-kit/src/attack/attack.ts';
import type { AttackDeps } from '../../../partner-kit/src/attack/target.ts';
import { createPost } from '../../../partner-kit/src/samples/post.ts';
import { repeatable } from '../../support/partner-kit/command.ts';
import {
  atMost,
  type Before,
  type Message,
  type Mistakes,
  movedByCompletions,
  oneAtATime,
  passingOverLate,
  type Reading,
  readAll,
  refusingCopies,
  refusingGaps,
  silentAtNoObject,
  startPartnerReceiver,
  takesFor,
} from '../../support/receivers/partner-receiver.ts';
import { root as repository } from '../../support/repository.ts';
import { freePortPair } from '../../support/stage/free-port-pair.ts';

const signature = 'Sv7uGd0rQm3kYt5wLx9bNc2hFj4pZe8a';
const source = 'svc.local.online-payments';
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const depsOf = (limitMs: number, stateUrl = ''): AttackDeps => ({
  ...repeatable(),
  post: createPost({ nowMs: () => performance.now(), limitMs }),
  readState: stateUrl ? async (uuid) => (await fetch(stateUrl.replace('{uuid}', uuid))).text() : undefined,
});

/** The checks that look at the receiver's state. */
const ofState = [
  ...['duplicate', 'duplicates-at-once', 'replay'],
  ...['out-of-order', 'older', 'gap', 'overlap', 'completed-outside'],
];

/** The names of the checks with a finding or another verdict. */
const brokenBy = async (
  wrong: Mistakes,
  { withState = false, limitMs = 5_000, verdict: wanted = 'broken' } = {},
) => {
  const receiver = await startPartnerReceiver({ signature, source }, wrong);
  stops.push(receiver.stop);
  const deps = depsOf(limitMs, withState ? receiver.stateUrl : undefined);
  const { results } = await attack({ url: receiver.url, signature, source }, deps);
  return results.filter(({ verdict }) => verdict === wanted).map(({ name }) => name);
};

describe('KIT-20 an attack finds the faults of a receiver, and no others', () => {
  test('the kit’s receiver keeps every rule, by its responses and by its state', async () => {
    expect(await brokenBy({}, { withState: true })).toEqual([]);
  });

  const everyRefusal = 'wrong-value near-value missing-value wrong-value-of-a-test';
  const takes = (isTaken: (value: string) => boolean): Mistakes => ({ before: takesFor(signature, isTaken) });
  const refuseIf = (isWrong: boolean) => {
    if (isWrong) throw new Error('not foreseen');
    return undefined;
  };
  const reads = (read: (message: Message) => unknown): Mistakes => ({
    reading: async (message) => void read(message),
  });
  const takesSource = (isOurs: (given: string) => boolean) =>
    reads((message) => Object.assign(message, isOurs(message.source) && { source }));
  const expectElement = ({ detail: { uuid, status, ndMeta, ...elements }, ...message }: Message) =>
    refuseIf(message['detail-type'] === 'TransactionUpdated' && Object.keys(elements).length === 0);
  const exactNames: Before = async ({ rawHeaders }) =>
    rawHeaders.some((name) => name.startsWith('x-')) ? 401 : undefined;
  const today = ['TransactionUpdated', 'TransactionCompleted', 'WebhookTest'];

  test.each<[string, Mistakes, string]>([
    ['takes any value', takes(() => true), everyRefusal],
    ['looks at a value only where there is one', takes((v) => v === ''), 'missing-value'],
    ['compares the beginning of a value', takes((v) => v !== '' && signature.startsWith(v)), 'near-value'],
    [
      'compares one character too few',
      takes((v) => signature.startsWith(v) && v.length >= signature.length - 1),
      'near-value',
    ],
    ['disregards what follows a value', takes((v) => v.startsWith(signature)), 'near-value'],
    ['disregards letter case', takes((v) => v.toLowerCase() === signature.toLowerCase()), 'near-value'],
    ['refuses with 400', { answers: { 401: 400 } }, everyRefusal],
    ['takes every environment', takesSource(() => true), 'other-environment near-source'],
    ['compares the end of a source', takesSource((given) => given.endsWith(source)), 'near-source'],
    ['answers a copy with 409', { reading: refusingCopies() }, 'duplicate duplicates-at-once replay'],
    ['refuses what begins in the middle', { reading: refusingGaps() }, 'out-of-order gap deletion'],
    [
      'refuses a type that it does not know',
      { reading: async (message) => (today.includes(message['detail-type']) ? undefined : 400) },
      'unknown-type',
    ],
    [
      'reads an element that is null',
      reads(({ detail }) => Object.values(detail).map((one) => Object.keys(one as object))),
      'null-elements',
    ],
    ['expects an element', reads(expectElement), 'no-element omitted'],
    ['expects a transaction', reads(({ detail }) => detail.ndMeta.group), 'test-message unknown-type'],
    ['knows nothing of deletions', reads(({ detail }) => refuseIf(detail.isDeleted === 1)), 'deletion'],
    ['knows the elements of today', reads(({ detail }) => refuseIf('warranty' in detail)), 'unknown-members'],
    ['wants header names as they are sent', { before: exactNames }, 'header-names'],
    [
      'reads a body by its length alone',
      { before: async ({ headers }) => ('content-length' in headers ? undefined : 400) },
      'chunked',
    ],
    ['does not answer what it cannot read', { before: silentAtNoObject }, 'verify-first odd-bodies'],
    [
      'answers a Range',
      { before: async ({ headers }) => ('range' in headers ? 416 : undefined) },
      'takes-ours',
    ],
    ['reads all before it verifies', { before: readAll }, 'verify-first huge'],
    ['fails at a GET', { answers: { 405: 500 } }, 'get'],
    ['reads no more than 32 kB', { options: { bodyLimit: 32_768 } }, 'largest'],
  ])('a receiver that %s', async (_what, wrong, names) => {
    expect((await brokenBy(wrong)).join(' ')).toBe(names);
  });

  const silentAtDeletions: Reading = ({ detail }) =>
    detail.isDeleted === 1 ? new Promise(() => {}) : undefined;

  // A busy machine may add findings.
  test.each<[string, Mistakes, string]>([
    ['does not answer in time', { reading: silentAtDeletions }, 'deletion'],
    ['reads one message at a time', { before: oneAtATime() }, 'slow'],
    ['works on four messages at once', { before: atMost(4) }, 'burst'],
  ])('a receiver that %s', async (_what, wrong, name) => {
    expect(await brokenBy(wrong, { limitMs: 700 })).toContain(name);
  });

  test('a receiver that redirects gets no further requests', async () => {
    expect(await brokenBy({ before: async () => 308 })).toEqual(['takes-ours']);
  });

  const noVersions = { chain: async () => undefined };
  const noIds = { isSeen: async () => false };
  /** Before it knows whether it has the message. */
  const writesCustomersDown: Reading = async ({ detail: { uuid = '', customer } }, { state }) => {
    const { customers = [], ...rest } = state.get(uuid) ?? {};
    state.set(uuid, { ...rest, customers: [...(customers as unknown[]), customer] });
    return undefined;
  };

  test.each<[string, Mistakes, string[]]>([
    ['applies a copy again', { reading: writesCustomersDown }, ['duplicate', 'duplicates-at-once']],
    ['applies what is older', { recall: noVersions }, ['out-of-order', 'older', 'gap']],
    [
      'applies what is older, and a copy',
      { recall: { ...noVersions, ...noIds } },
      ['replay', 'out-of-order', 'older', 'gap'],
    ],
    ['moves its version by a completion', { reading: movedByCompletions() }, ['completed-outside']],
  ])('a receiver that %s is seen by its state', async (_what, wrong, names) => {
    expect(await brokenBy(wrong)).toEqual([]);
    expect(await brokenBy(wrong, { withState: true })).toEqual(names);
  });

  test('KIT-20 no signal has so many listeners that Node would warn', async () => {
    const receiver = await startPartnerReceiver({ signature, source });
    stops.push(receiver.stop);
    const { post, ...deps } = depsOf(5_000);
    const listeners: number[] = [];
    const noting: typeof post = (shot) => {
      const answer = post(shot);
      if (shot.signal) listeners.push(getEventListeners(shot.signal, 'abort').length);
      return answer;
    };

    await attack({ url: receiver.url, signature, source }, { ...deps, post: noting }, { only: ['slow'] });

    expect(listeners).toEqual(Array(20).fill(1));
  });

  test('KIT-20 rules that only the state shows are unseen without it', async () => {
    expect(await brokenBy({}, { verdict: 'unseen' })).toEqual(ofState);
    expect(await brokenBy({}, { verdict: 'unseen', withState: true })).toEqual([]);
  });

  test('KIT-20 a receiver that ignores late events, because it reads the API, is unseen', async () => {
    const found = (verdict: string) => brokenBy({ reading: passingOverLate() }, { verdict, withState: true });

    expect(await found('unseen')).toEqual(['out-of-order', 'gap']);
    expect(await found('broken')).toEqual([]);
  });
});

test('KIT-21 the demo receiver keeps every rule, and shows its treatment of copies and order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attack-'));
  const state = openState(join(folder, 'state.db'));
  const receiver = await openReceiver({
    ...{ port: 0, source, state },
    issuedTo: (partner) => (partner === 'acme' ? signature : undefined),
    say: () => {},
  });
  stops.push(
    () => receiver.stop(),
    async () => state.close(),
    () => rmSync(folder, { recursive: true }),
  );
  const url = `${receiver.url}/acme`;

  const score = await attack({ url, signature, source }, depsOf(5_000, `${url}/transactions/{uuid}`));

  expect(score.results.filter(({ verdict }) => verdict !== 'kept')).toEqual([]);
});

test('KIT-20 EV-11 the receiver of the guide keeps every rule, and shows deletions', async () => {
  const guide = readFileSync(join(repository, 'docs/guide/webhooks.md'), 'utf8');
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(guide) ?? [];
  const PORT = String(await freePortPair());
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { SIGNATURE: signature, SOURCE: source, PORT },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  stops.push(() => child.kill());
  const printed = text(child.stdout);
  const url = `http://127.0.0.1:${PORT}/`;
  await answering(url);

  const { results } = await attack({ url, signature, source }, depsOf(5_000));

  expect(
    results.filter(({ verdict }) => verdict !== 'kept').map(({ name, verdict }) => [name, verdict]),
  ).toEqual(ofState.map((name) => [name, 'unseen']));
  child.kill();
  // One deletion joins, and one is the first that is heard of its transaction.
  expect((await printed).match(/^\S+ gone$/gm)).toHaveLength(2);
});

/** It says nothing when it begins to listen. */
const answering = async (url: string): Promise<void> => {
  for (let isUp = false; !isUp; await new Promise(setImmediate))
    isUp = await fetch(url).then(
      () => true,
      () => false,
    );
};
