import { describe, expect, test } from '@jest/globals';
import { sendTimeoutMs, sendTries, settingsOf } from '../../functions/shared/domain/event/timing.ts';
import { configOf, type EventTimes, type StageConfig, stageNames } from '../../lib/config.ts';
import { withShortenedTimes } from '../../lib/event-times.ts';
import { synthesise } from '../support/engine/synthesis.ts';
import { propertiesOf, templatesOf } from '../support/engine/templates.ts';

const withTimes = (times: Partial<EventTimes>): StageConfig => {
  const config = configOf('local');
  return { ...config, eventTimes: { ...config.eventTimes, ...times } };
};

/** What the deployed function knows, rather than what the configuration says. */
const timesInTemplate = (stage: string) => {
  const functions = propertiesOf(templatesOf(stage).service, 'AWS::Lambda::Function') as FunctionProperties[];
  const found = functions.find(({ Description }) => Description === 'publish-dormant');
  const { DORMANCY_SECONDS, TICK_SECONDS } = found?.Environment.Variables ?? {};
  return {
    dormancySeconds: Number(DORMANCY_SECONDS),
    tickSeconds: Number(TICK_SECONDS),
    timeoutSeconds: found?.Timeout,
  };
};

type FunctionProperties = {
  Description: string;
  Timeout: number;
  Environment: { Variables: Record<string, unknown> };
};

describe('the two-minute rule', () => {
  test('EV-1 every stage waits 120 s (interface 6.3), looks every 10 s, and has no upper bound for the wait', () => {
    const times = stageNames.map((name) => configOf(name).eventTimes);

    expect(times).toEqual(stageNames.map(() => ({ dormancySeconds: 120, tickSeconds: 10 })));
  });

  test.each(stageNames)(
    'EV-1 I17 the function of stage %s ends within its lease, and all within 180 s',
    (name) => {
      const { dormancySeconds, tickSeconds, timeoutSeconds } = timesInTemplate(name);
      const { leaseMs, abandonMs } = settingsOf(dormancySeconds * 1000);
      const sendMs = sendTries * sendTimeoutMs;

      expect({ dormancySeconds, tickSeconds, timeoutSeconds }).toEqual({
        dormancySeconds: 120,
        tickSeconds: 10,
        timeoutSeconds: 15,
      });
      // 6 s to send < 12 s abandon < 15 s timeout < 20 s lease; nothing is sent outside of it: 12 + 6 < 20.
      expect({ sendMs, abandonMs, leaseMs }).toEqual({ sendMs: 6_000, abandonMs: 12_000, leaseMs: 20_000 });
      // Rest, two ticks, one lost lease, and 10 s for the bus: 170 of the 180 s that are promised.
      expect(dormancySeconds + 2 * tickSeconds + leaseMs / 1000 + 10).toBe(170);
    },
  );

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
  ])('%j is refused at synthesis in one sentence', async (times, sentence) => {
    await expect(synthesise(withTimes(times))).rejects.toThrow(sentence);
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

  test('TH-18 is refused at synthesis when it names another stage', async () => {
    const mixedUp = { ...configOf('staging'), eventSource: 'svc.production.online-payments' };

    await expect(synthesise(mixedUp)).rejects.toThrow(
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

  test('that are no whole seconds are refused at synthesis', async () => {
    const shortened = withShortenedTimes(configOf('local'), { dormancySeconds: 'soon' });

    await expect(synthesise(shortened)).rejects.toThrow('dormancySeconds must be a whole number from 1.');
  });
});
