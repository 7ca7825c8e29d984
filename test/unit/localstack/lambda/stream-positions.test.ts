import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openPositions } from '../../../../localstack/lambda/stream-positions.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'positions-'));
  file = join(folder, 'positions.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('positions in a stream', () => {
  test('are there again after a restart, of each event source and shard, for their owner only', () => {
    const first = openPositions(file);
    first.of('A', 'stream-1').save('s1', { after: '5' });
    first.of('A', 'stream-1').save('s2', { after: '6', isFinished: true });
    first.of('B', 'stream-1').save('s1', { after: '2' });

    const again = openPositions(file);

    expect(again.of('A', 'stream-1').of('s1')).toEqual({ after: '5' });
    expect(again.of('A', 'stream-1').of('s2')).toEqual({ after: '6', isFinished: true });
    expect(again.of('B', 'stream-1').of('s1')).toEqual({ after: '2' });
    expect(again.of('B', 'stream-1').of('s3')).toEqual({});
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  test('of a table that was made anew are none', () => {
    openPositions(file).of('A', 'stream-1').save('s1', { after: '5' });

    expect(openPositions(file).of('A', 'stream-2').of('s1')).toEqual({});
  });

  test('of shards that are gone are forgotten', () => {
    const positions = openPositions(file).of('A', 'stream-1');
    positions.save('s1', { after: '5' });
    positions.save('s2', { after: '6' });
    positions.keep(['s2']);
    positions.save('s2', { after: '7' });

    const again = openPositions(file).of('A', 'stream-1');

    expect([again.of('s1'), again.of('s2')]).toEqual([{}, { after: '7' }]);
  });
});
