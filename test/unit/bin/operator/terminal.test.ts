import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { processTerminal } from '../../../../bin/operator/terminal.ts';

/** A stream that takes a piece only when the test says so. */
const aSlowReader = () => {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (piece, _encoding, done) => {
      taken.push(piece);
      waiting.push(done);
    },
  });
  return { stream, taken, takeOne: () => waiting.shift()?.() };
};

test('pieces of a result are produced no faster than they are consumed', async () => {
  const reader = aSlowReader();
  const made = { count: 0 };
  const pieces = async function* () {
    for (; made.count < 1_000; made.count += 1) yield `${made.count}\n`;
  };

  const printed = processTerminal(reader.stream).printEach(pieces());
  await setImmediate();
  const madeAhead = made.count;
  while (reader.taken.length < 1_000) {
    reader.takeOne();
    await setImmediate();
  }
  reader.takeOne();
  await printed;

  expect(madeAhead).toBeLessThan(20);
  expect(reader.taken).toHaveLength(1_000);
  expect(reader.stream.writableEnded).toBe(false);
});

test('a result that fails half-way throws', async () => {
  const broken = async function* () {
    yield 'first\n';
    throw new Error('the store is gone');
  };
  const stream = new Writable({ write: (_piece, _encoding, done) => done() });

  await expect(processTerminal(stream).printEach(broken())).rejects.toThrow('the store is gone');
});
