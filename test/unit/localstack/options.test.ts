import { describe, expect, test } from '@jest/globals';
import { readOptions } from '../../../localstack/embedded/options.ts';

const usual = { port: 8787, dataFolder: '.local', fresh: false, demo: true, help: false };
const times = { dormancySeconds: 120, tickSeconds: 10 };

describe('RUN-1 options of npm start', () => {
  test.each([
    [[], {}, usual],
    [
      ['--fresh', '--data', '/x', '--no-demo'],
      { PORT: '9000' },
      { port: 9000, dataFolder: '/x', fresh: true, demo: false, help: false },
    ],
    [['-h'], {}, { ...usual, help: true }],
  ])('%j with %j', (args, environment, options) => {
    expect(readOptions(args, environment)).toEqual({ ...options, ...times });
  });

  test.each([
    [['--dormancy-seconds', '5'], { dormancySeconds: 5, tickSeconds: 1 }],
    [['--dormancy-seconds', '60'], { dormancySeconds: 60, tickSeconds: 10 }],
  ])('RUN-3 %j: %j', (args, eventTimes) => {
    expect(readOptions(args, {})).toEqual({ ...usual, ...eventTimes });
  });

  test.each([
    [['--nope'], {}, "Unknown option '--nope'; npm start -- --help lists the options."],
    [['extra'], {}, "Unexpected argument 'extra'; npm start -- --help lists the options."],
    [
      ['--fresh=yes'],
      {},
      "Option '--fresh' does not take an argument; npm start -- --help lists the options.",
    ],
    [['--data'], {}, "Option '--data <value>' argument missing; npm start -- --help lists the options."],
    [['--data', ''], {}, '--data is empty and must name a folder.'],
    [[], { PORT: 'x' }, 'PORT is "x" and must be a whole number from 1 to 65534.'],
    [[], { PORT: '1e3' }, 'PORT is "1e3" and must be a whole number from 1 to 65534.'],
    [[], { PORT: '65535' }, 'PORT is "65535" and must be a whole number from 1 to 65534.'],
    [
      ['--dormancy-seconds', '121'],
      {},
      '--dormancy-seconds is "121" and must be a whole number from 1 to 120.',
    ],
    [['--dormancy-seconds', '0'], {}, '--dormancy-seconds is "0" and must be a whole number from 1 to 120.'],
    [
      ['--dormancy-seconds', '-5'],
      {},
      '--dormancy-seconds is "-5" and must be a whole number from 1 to 120.',
    ],
    [
      ['--dormancy-seconds', '1.5'],
      {},
      '--dormancy-seconds is "1.5" and must be a whole number from 1 to 120.',
    ],
    [[], { npm_config_fresh: 'true' }, 'npm keeps --fresh for itself: write npm start -- --fresh'],
    [[], { npm_config_watch: 'true' }, 'npm keeps --watch for itself: write npm start -- --watch'],
    [[], { npm_config_demo: '' }, 'npm keeps --no-demo for itself: write npm start -- --no-demo'],
    [
      ['5'],
      { npm_config_dormancy_seconds: 'true' },
      'npm keeps --dormancy-seconds for itself: write npm start -- --dormancy-seconds …',
    ],
  ])('%j with %j is refused in one sentence', (args, environment, sentence) => {
    expect(() => readOptions(args, environment)).toThrow(new Error(sentence));
  });
});
