import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';

const month = 31 * 86_400_000;

describe('a stage whose clock was moved on by 31 days', () => {
  let stage: ServiceStage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  endEngineAfterFile();

  test('RUN-12 a move calls each function of a schedule once, however many times it skipped', async () => {
    await stage.settled();
    const before = stage.calls().length;

    await stage.passTime(month);

    const calls = stage.calls().slice(before);
    expect(calls.filter(({ caller }) => caller === 'keep-endpoints').map(({ target }) => target)).toEqual([
      'AWSEvents.ListConnections',
      'DynamoDB_20120810.Query',
      'DynamoDB_20120810.GetItem',
      'DynamoDB_20120810.PutItem',
    ]);
    expect(stage.warnings()).toEqual([]);
  });

  test('RUN-12 functions have the time of the stage, and a refused condition is sent once', async () => {
    const before = stage.calls().length;

    await stage.invoke('rotate-keys', { RequestType: 'Create' });

    const puts = stage
      .calls()
      .slice(before)
      .filter(({ target }) => target === 'DynamoDB_20120810.PutItem');
    expect(puts.map(({ input }) => input.ConditionExpression)).toEqual(['attribute_not_exists(pk)']);
    const { headers } = await stage.ask('GET', '/api/v2/transaction');
    expect(
      Math.round(
        (Date.parse(headers.get('Date') ?? '') - performance.timeOrigin - performance.now()) / month,
      ),
    ).toBe(1);
  });

  test('RUN-12 two stages of one process have one clock, which goes on when one of them ends', async () => {
    const other = await openStage();
    const aheadMs = () => Math.round((Date.now() - performance.timeOrigin - performance.now()) / month);
    await other.passTime(month);
    const both = aheadMs();
    await other.close();

    expect([both, aheadMs()]).toEqual([2, 2]);
  });
});
