import { expect, test } from '@jest/globals';
import { measureAmong } from '../../bench/events-registered.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();

test('GRANT-4 an event for one recipient costs the same among 10 registered partners and among 1,000', async () => {
  const [few, many] = await measureAmong(engine.endpoint, [10, 1_000]);

  expect(many).toEqual({ ...few, registered: 1_000 });
  // 8 of them are the four grants of its owner, read as of one instant.
  expect(few).toMatchObject({ registered: 10, read: 14 });
}, 120_000);
