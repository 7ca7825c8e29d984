import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sendTimeoutMs, sendTries, settingsOf } from '../../functions/shared/domain/event/timing.ts';
import { configOf, type EventTimes, type StageConfig, stageNames } from '../../lib/config.ts';
import { withShortenedTimes } from '../../lib/event-times.ts';
import { synthesise } from '../support/engine/synthesis.ts';
import { propertiesOf, templatesOf } from '../support/engine/templates.ts';
import { root } from '../support/repository.ts';

const usual: EventTimes = { dormancySeconds: 120, tickSeconds: 10, promisedSeconds: 180 };

const withTimes = (times: Partial<EventTimes>): StageConfig => ({
  ...configOf('local'),
  eventTimes: { ...usual, ...times },
});

describe('the dormancy', () => {
  test('EV-1 every stage waits 120 s, polls every 10 s, promises 180 s (interface 6.1, interface 6.3); docs/events.md says so', () => {
    const times = stageNames.map((name) => configOf(name).eventTimes);
    const document = readFileSync(join(root, 'docs/events.md'), 'utf8').replaceAll(/\s+/g, ' ');

    expect(times).toEqual([usual, usual, usual]);
    expect(document).toContain(
      'not changed for 120 s, its **dormancy**, and at most 180 s after its last change',
    );
  });

  test.each(stageNames)('EV-1 the function of stage %s has the times of its stage', (name) => {
    const functions = propertiesOf(templatesOf(name).service, 'AWS::Lambda::Function');

    expect(functions.find(({ Description }) => Description === 'publish-dormant')).toMatchObject({
      Environment: { Variables: { DORMANCY_SECONDS: '120', TICK_SECONDS: '10' } },
    });
  });

  test('I17 an invocation ends within its lease, and two ticks, a lost lease and the bus fit into the promise', () => {
    const { leaseMs, abandonMs } = settingsOf(120_000);
    const sendMs = sendTries * sendTimeoutMs;

    // 6 s to send < 12 s abandon < 15 s timeout < 20 s lease; nothing is sent outside of it: 12 + 6 < 20.
    expect({ sendMs, abandonMs, leaseMs }).toEqual({ sendMs: 6_000, abandonMs: 12_000, leaseMs: 20_000 });
    // With 10 s for the bus 50 of the 60 s that are promised after the rest.
    expect(2 * usual.tickSeconds + leaseMs / 1000 + 10).toBe(50);
  });

  test.each<[Partial<EventTimes>, string]>([
    [{ tickSeconds: 15 }, 'dormancySeconds + 2 × tickSeconds + lease + 10 is 180 and must be less than 180'],
    [
      { dormancySeconds: 131 },
      'dormancySeconds + 2 × tickSeconds + lease + 10 is 181 and must be less than 180',
    ],
    [{ dormancySeconds: 0 }, 'dormancySeconds must be a whole number from 1'],
    [{ dormancySeconds: Number.NaN }, 'dormancySeconds must be a whole number from 1'],
    [{ tickSeconds: 2.5 }, 'tickSeconds must be a whole number from 1'],
    [{ tickSeconds: -1 }, 'tickSeconds must be a whole number from 1'],
  ])('%j is refused at synthesis in one sentence', async (times, sentence) => {
    await expect(synthesise(withTimes(times))).rejects.toThrow(`${sentence}.`);
  });
});

describe('EV-8 the source of events', () => {
  test('S-63 contains the name of the stage', () => {
    expect(stageNames.map((name) => configOf(name).eventSource)).toEqual([
      'svc.local.online-payments',
      'svc.staging.online-payments',
      'svc.production.online-payments',
    ]);
  });

  test('TH-18 is refused at synthesis if it names another stage', async () => {
    const mixedUp = { ...configOf('staging'), eventSource: 'svc.production.online-payments' };

    await expect(synthesise(mixedUp)).rejects.toThrow(
      'The events of stage staging must have the source svc.staging.online-payments.',
    );
  });
});

describe('RUN-3 shortened times', () => {
  test.each([
    [
      { dormancySeconds: '5', tickSeconds: 1 },
      { dormancySeconds: 5, tickSeconds: 1 },
    ],
    [{ dormancySeconds: 5 }, { dormancySeconds: 5 }],
  ])('%j apply to the local stage', (given, changed) => {
    expect(withShortenedTimes(withTimes({}), given).eventTimes).toEqual({ ...usual, ...changed });
  });

  test.each(['staging', 'production'])('are refused for stage %s', (name) => {
    expect(() => withShortenedTimes(configOf(name), { dormancySeconds: 5, tickSeconds: 1 })).toThrow(
      `dormancySeconds and tickSeconds may be set for the local stage only, not for ${name}.`,
    );
    expect(() => withShortenedTimes(configOf(name), { tickSeconds: 10 })).toThrow(
      `tickSeconds may be set for the local stage only, not for ${name}.`,
    );
  });

  test.each(stageNames)('if absent, leave stage %s as it is', (name) => {
    expect(withShortenedTimes(configOf(name), {})).toEqual(configOf(name));
  });

  test('that are not whole seconds are refused at synthesis', async () => {
    const shortened = withShortenedTimes(configOf('local'), { dormancySeconds: 'soon' });

    await expect(synthesise(shortened)).rejects.toThrow('dormancySeconds must be a whole number from 1.');
  });
});
