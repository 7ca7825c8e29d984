import { describe, expect, test } from '@jest/globals';
import { pageSize, type Stream } from '../../../../localstack/lambda/stream.ts';
import type { Position } from '../../../../localstack/lambda/stream-positions.ts';
import { readStream } from '../../../../localstack/lambda/stream-reader.ts';
import { memoryPositions, records } from '../../../support/stage/stream-source.ts';

type Page = { numbers: number[]; isLast?: boolean } | Error;

/**
 * A reader over shards with given pages. An empty page follows the last one. Pauses take no time, and the reader is
 * stopped after this many of them.
 */
const aReader = async (
  shards: Record<string, { parent?: string; pages: Page[] }>,
  { start = {}, pausesUntilStop = 8 }: { start?: Record<string, Position>; pausesUntilStop?: number } = {},
) => {
  const { positions, saved, shards: kept } = memoryPositions(start);
  const stopping = new AbortController();
  const delivered: string[] = [];
  const iterators: string[] = [];
  const pauses: number[] = [];
  const told: string[] = [];
  const stream: Stream = {
    arn: 'arn',
    shards: async () => Object.entries(shards).map(([id, { parent }]) => ({ id, parent })),
    iteratorAfter: async (shard, number) => {
      iterators.push(`${shard} after ${number}`);
      return shard;
    },
    read: async (shard) => {
      const page = shards[shard]?.pages.shift() ?? { numbers: [] };
      if (page instanceof Error) throw page;
      return { records: records(...page.numbers), next: page.isLast ? undefined : shard };
    },
  };
  await readStream({
    stream,
    positions,
    deliver: async (shard, page) => {
      const last = page.at(-1)?.dynamodb?.SequenceNumber;
      if (!last) return;
      delivered.push(`${shard}:${page.length === 1 ? last : `${page.length} up to ${last}`}`);
      positions.save(shard, { after: last });
    },
    warn: (sentence) => told.push(sentence),
    pause: async (ms) => {
      pauses.push(ms);
      if (pauses.length >= pausesUntilStop) stopping.abort();
      await new Promise(setImmediate);
    },
    nowMs: () => 0,
    stopping: stopping.signal,
  });
  return { delivered, iterators, pauses, saved, told, kept };
};

describe('a reader of a stream', () => {
  test('does not wait while a page is full', async () => {
    const full = Array.from({ length: pageSize }, (_, index) => index + 1);
    const pages = [{ numbers: full }, { numbers: full }, { numbers: [999] }];
    const { delivered } = await aReader({ s: { pages } }, { pausesUntilStop: 2 });

    const page = `s:${pageSize} up to ${pageSize}`;
    expect(delivered).toEqual([page, page, 's:999']);
  });

  test('reads a child when its parent has ended, and two that are no family side by side', async () => {
    const { delivered, saved, kept } = await aReader({
      child: { parent: 'parent', pages: [{ numbers: [3] }] },
      orphan: { parent: 'long gone', pages: [{ numbers: [7] }] },
      parent: { pages: [{ numbers: [1] }, { numbers: [2], isLast: true }] },
    });

    expect(delivered.filter((one) => !one.startsWith('orphan'))).toEqual(['parent:1', 'parent:2', 'child:3']);
    expect(delivered).toContain('orphan:7');
    expect(saved).toContain('parent:end');
    expect(kept).toEqual({
      child: { after: '3' },
      orphan: { after: '7' },
      parent: { after: '2', isFinished: true },
    });
  });

  test('reads no shard again that it has finished, and forgets those that are gone', async () => {
    const { delivered, kept } = await aReader(
      { old: { pages: [{ numbers: [1] }] }, young: { parent: 'old', pages: [{ numbers: [2] }] } },
      { start: { old: { after: '1', isFinished: true }, older: { after: '0', isFinished: true } } },
    );

    expect(delivered).toEqual(['young:2']);
    expect(kept).toEqual({ old: { after: '1', isFinished: true }, young: { after: '2' } });
  });

  test('takes a new iterator after a fault, and tells of it only when it comes again', async () => {
    const once = await aReader({ s: { pages: [{ numbers: [1] }, new Error('expired'), { numbers: [2] }] } });
    const often = await aReader({
      s: { pages: [new Error('no 1'), new Error('no 2'), new Error('no 3'), { numbers: [1] }] },
    });

    expect(once.delivered).toEqual(['s:1', 's:2']);
    expect(once.iterators).toEqual(['s after undefined', 's after 1']);
    expect(once.told).toEqual([]);
    expect(often.delivered).toEqual(['s:1']);
    expect(often.told).toEqual(['its stream cannot be read: Error: no 2']);
    expect(often.pauses).toEqual(expect.arrayContaining([1000, 2000]));
  });
});
