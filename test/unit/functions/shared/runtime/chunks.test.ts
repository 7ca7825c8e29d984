import { describe, expect, test } from '@jest/globals';
import { arrivingChunksOf, chunksOf } from '../../../../../functions/shared/runtime/chunks.ts';

async function* arriving(values: readonly number[]) {
  yield* values;
}

describe('STO-1 chunks of two', () => {
  test.each(['[]', '[[1]]', '[[1,2]]', '[[1,2],[3]]', '[[1,2],[3,4]]'])(
    '%s of values at hand, and of values that arrive one by one',
    async (text) => {
      const chunks: number[][] = JSON.parse(text);

      expect(chunksOf(chunks.flat(), 2)).toEqual(chunks);
      const found: number[][] = [];
      for await (const chunk of arrivingChunksOf(arriving(chunks.flat()), 2)) found.push(chunk);
      expect(found).toEqual(chunks);
    },
  );

  test('a chunk is emitted as soon as it is full', async () => {
    let taken = 0;
    async function* counted() {
      for (;;) {
        taken += 1;
        yield taken;
      }
    }

    expect((await arrivingChunksOf(counted(), 3).next()).value).toEqual([1, 2, 3]);
    expect(taken).toBe(3);
  });
});
