import { mkdtempSync, rmSync } from 'node:fs';
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
