import { describe, expect, test } from '@jest/globals';
import { refuse } from '../../../../functions/shared/domain/outcome.ts';
import type { ResolvedResource } from '../../../../localstack/cloudformation/model.ts';
import { scheduleOf } from '../../../../localstack/cloudformation/schedule.ts';
import { startSchedules } from '../../../../localstack/lambda/schedules.ts';

const target = { Arn: 'arn:aws:lambda:eu-west-2:000000000000:function:Sweep', Input: '{"a":1}' };

const ruleOf = (properties: object) =>
  scheduleOf({ id: 'Hourly', properties } as unknown as ResolvedResource);
const scheduled = (ScheduleExpression: string) => ruleOf({ ScheduleExpression, Targets: [target] });

/** A scheduler over one function that fails, and a clock that a test moves by hand. */
const aScheduler = (reason: `threw ${string}` | `ended its process with code ${string}`) => {
  const events: unknown[] = [];
  const told: string[] = [];
  const timers = new Map<() => void, number>();
  const invoke = async (event: unknown) => {
    events.push(event);
    return refuse(reason);
  };
  const scheduler = startSchedules([scheduled('rate(1 hour)')], {
    functions: new Map([['Sweep', { name: 'sweep', logFile: 'sweep.log', invoke }]]),
    warn: (sentence) => told.push(sentence),
    repeat: (work, everyMs) => {
      timers.set(work, everyMs);
      return () => timers.delete(work);
    },
  });
  const ring = async () => {
    for (const work of timers.keys()) work();
    await new Promise(setImmediate);
  };
  return { ...scheduler, events, told, timers, ring };
};

describe('schedules of the embedded stage', () => {
  test.each([
    ['rate(1 hour)', 3_600_000],
    ['rate(1 minute)', 60_000],
    ['rate(10 minutes)', 600_000],
    ['rate(2 days)', 172_800_000],
  ])('%s is every %s ms', (expression, everyMs) => {
    expect(scheduled(expression)).toEqual({ id: 'Hourly', functionId: 'Sweep', everyMs, input: { a: 1 } });
  });

  test.each(['cron(0 12 * * ? *)', 'rate(0 hours)', 'rate(1 fortnight)'])('%s is refused', (expression) => {
    expect(() => scheduled(expression)).toThrow(`The local stage does not know the schedule ${expression}.`);
  });

  test.each([
    [{ EventPattern: { source: ['aws.health'] }, Targets: [target] }],
    [{ ScheduleExpression: 'rate(1 hour)', Targets: [target, target] }],
    [{ ScheduleExpression: 'rate(1 hour)' }],
  ])('the rule %j is refused by name', (properties) => {
    expect(() => ruleOf(properties)).toThrow(
      'The local stage knows rules with a schedule and one function: Hourly is another.',
    );
  });

  test('a function is called at once and then by its rate, also after a failure, which is told of in one sentence', async () => {
    const { events, timers, ring, told } = aScheduler('threw Error: no table');
    await ring();

    expect([...timers.values()]).toEqual([3_600_000]);
    expect(events).toEqual([{ a: 1 }, { a: 1 }]);
    expect(told[0]).toBe(
      'sweep, by its schedule: the function threw Error: no table. The cause is in sweep.log',
    );
  });

  test('nothing is called, and nothing told, after the stage has stopped', async () => {
    const { events, timers, ring, told, stop } = aScheduler('ended its process with code 1');
    await stop();
    await ring();

    expect(timers.size).toBe(0);
    expect([events.length, told]).toEqual([1, []]);
  });
});
