import { describe, expect, test } from '@jest/globals';
import { configOf, type EventTimes, type StageConfig, stageNames } from '../../lib/config.ts';
import { assertEventTimes, withShortenedTimes } from '../../lib/event-times.ts';
import { stacksOf } from '../support/engine/stacks.ts';

const withTimes = (times: Partial<EventTimes>): StageConfig => {
  const config = configOf('local');
  return { ...config, eventTimes: { ...config.eventTimes, ...times } };
};

describe('the two-minute rule', () => {
  test('EV-1 every stage waits 120 s (interface 6.3), looks every 10 s, and has no upper bound for the wait', () => {
    const times = stageNames.map((name) => configOf(name).eventTimes);

    expect(times).toEqual(stageNames.map(() => ({ dormancySeconds: 120, tickSeconds: 10 })));
  });

  test.each(stageNames)('the relations between the times hold in stage %s', (name) => {
    expect(() => assertEventTimes(configOf(name))).not.toThrow();
  });

  test.each<[Partial<EventTimes>, string]>([
    [{ tickSeconds: 15 }, 'dormancySeconds + 2 × tickSeconds + lease + 10 is 180 and must be less than 180.'],
    [
      { dormancySeconds: 131 },
      'dormancySeconds + 2 × tickSeconds + lease + 10 is 181 and must be less than 180.',
    ],
    [{ dormancySeconds: 0 }, 'dormancySeconds must be a whole number from 1.'],
    [{ dormancySeconds: Number.NaN }, 'dormancySeconds must be a whole number from 1.'],
    [{ tickSeconds: 2.5 }, 'tickSeconds must be a whole number from 1.'],
    [{ tickSeconds: -1 }, 'tickSeconds must be a whole number from 1.'],
    [{ maxHoldSeconds: 120 }, 'maxHoldSeconds is 120 and must be more than dormancySeconds, 120.'],
    [{ maxHoldSeconds: 30 }, 'maxHoldSeconds is 30 and must be more than dormancySeconds, 120.'],
  ])('%j is refused at synthesis in one sentence', (times, sentence) => {
    expect(() => stacksOf(withTimes(times))).toThrow(sentence);
  });

  test('EV-1 an upper bound longer than the dormancy is accepted', () => {
    expect(() => assertEventTimes(withTimes({ maxHoldSeconds: 121 }))).not.toThrow();
  });
});

describe('EV-8 the source of events', () => {
  test('contains the name of the stage', () => {
    expect(stageNames.map((name) => configOf(name).eventSource)).toEqual([
      'svc.local.online-payments',
      'svc.staging.online-payments',
      'svc.production.online-payments',
    ]);
  });

  test('TH-18 is refused at synthesis when it names another stage', () => {
    const mixedUp = { ...configOf('staging'), eventSource: 'svc.production.online-payments' };

    expect(() => stacksOf(mixedUp)).toThrow(
      'The events of stage staging must have the source svc.staging.online-payments.',
    );
  });
});

describe('RUN-3 shortened times', () => {
  test('apply to the local stage, given as numbers or as text', () => {
    const shortened = withShortenedTimes(configOf('local'), { dormancySeconds: '5', tickSeconds: 1 });

    expect(shortened.eventTimes).toEqual({ dormancySeconds: 5, tickSeconds: 1 });
  });

  test('may be given one without the other', () => {
    const shortened = withShortenedTimes(configOf('local'), { dormancySeconds: 5 });

    expect(shortened.eventTimes).toEqual({ dormancySeconds: 5, tickSeconds: 10 });
  });

  test.each(['staging', 'production'])('are refused for stage %s', (name) => {
    expect(() => withShortenedTimes(configOf(name), { dormancySeconds: 5, tickSeconds: 1 })).toThrow(
      `dormancySeconds and tickSeconds may be set for the local stage only, not for ${name}.`,
    );
    expect(() => withShortenedTimes(configOf(name), { tickSeconds: 10 })).toThrow(
      `tickSeconds may be set for the local stage only, not for ${name}.`,
    );
  });

  test.each(stageNames)('when not given, leave stage %s as it is', (name) => {
    expect(withShortenedTimes(configOf(name), {})).toEqual(configOf(name));
  });

  test('that are no whole seconds are refused at synthesis', () => {
    const shortened = withShortenedTimes(configOf('local'), { dormancySeconds: 'soon' });

    expect(() => stacksOf(shortened)).toThrow('dormancySeconds must be a whole number from 1.');
  });
});
