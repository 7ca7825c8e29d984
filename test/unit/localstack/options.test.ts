import { describe, expect, test } from '@jest/globals';
import { configOf } from '../../../lib/config.ts';
import { readOptions } from '../../../localstack/options.ts';

const usual = configOf('local').eventTimes.dormancySeconds;
const dormancy = (value: number) =>
  `--dormancy-seconds is "${value}" and must be a whole number from 1 to ${usual}.`;

const noPort = (PORT: string): [string[], Record<string, string>, string] => [
  [],
  { PORT },
  `PORT is "${PORT}" and must be a whole number from 1 to 65534.`,
];

describe('options of npm start', () => {
  test.each([
    [[], {}, { port: 8787, dataFolder: '.local', fresh: false, demo: true }],
    [
      ['--fresh', '--data', '/x', '--no-demo'],
      { PORT: '9000' },
      { port: 9000, dataFolder: '/x', fresh: true, demo: false },
    ],
  ])('%j with %j', (args, environment, options) => {
    expect(readOptions(args, environment)).toEqual({ ...options, help: false, eventTimes: {} });
  });

  test.each([
    [['--dormancy-seconds', '5'], { dormancySeconds: 5, tickSeconds: 1 }],
    [['--dormancy-seconds', '90'], { dormancySeconds: 90 }],
    [['--dormancy-seconds', '5', '--tick-seconds', '2'], { dormancySeconds: 5, tickSeconds: 2 }],
    [['--tick-seconds', '3'], { tickSeconds: 3 }],
  ])('RUN-3 %j shortens the times of events to %j', (args, eventTimes) => {
    expect(readOptions(args, {}).eventTimes).toEqual(eventTimes);
  });

  test.each([
    [['--nope'], {}, "Unknown option '--nope'; npm start -- --help lists the options."],
    [['--data'], {}, "Option '--data <value>' argument missing; npm start -- --help lists the options."],
    ...['x', '', '1e3', '0x10', ' 80', '80 ', '+80', '080', '8787.0', '0', '65535', '65536'].map(noPort),
    [['--dormancy-seconds', `${usual + 1}`], {}, dormancy(usual + 1)],
    [['--dormancy-seconds', '0'], {}, dormancy(0)],
    [[], { npm_config_fresh: 'true' }, 'npm keeps --fresh for itself: write npm start -- --fresh'],
    [[], { npm_config_demo: '' }, 'npm keeps --no-demo for itself: write npm start -- --no-demo'],
    [
      ['5'],
      { npm_config_dormancy_seconds: 'true' },
      'npm keeps --dormancy-seconds for itself: write npm start -- --dormancy-seconds …',
    ],
    [['--tick-seconds', '1.5'], {}, '--tick-seconds is "1.5" and must be a whole number from 1 to 10.'],
    [['--tick-seconds', '1e1'], {}, '--tick-seconds is "1e1" and must be a whole number from 1 to 10.'],
  ])('%j with %j is one sentence', (args, environment, sentence) => {
    expect(() => readOptions(args, environment)).toThrow(new Error(sentence));
  });
});
