import { describe, expect, test } from '@jest/globals';
import { readOptions } from '../../../localstack/options.ts';

describe('options of npm start', () => {
  test('without any: port 8787, data in .local, demo data', () => {
    expect(readOptions([], {})).toEqual({
      port: 8787,
      dataFolder: '.local',
      fresh: false,
      demo: true,
      help: false,
    });
  });

  test('--fresh, --data, --no-demo and PORT', () => {
    expect(readOptions(['--fresh', '--data', '/x', '--no-demo'], { PORT: '9000' })).toEqual({
      port: 9000,
      dataFolder: '/x',
      fresh: true,
      demo: false,
      help: false,
    });
  });

  test.each([
    [['--nope'], {}, "Unknown option '--nope'; npm start -- --help lists the options."],
    [['--data'], {}, "Option '--data <value>' argument missing; npm start -- --help lists the options."],
    [[], { PORT: 'x' }, 'PORT is "x" and must be a number from 1 to 65535.'],
    [[], { PORT: '70000' }, 'PORT is "70000" and must be a number from 1 to 65535.'],
  ])('%j with %j is one sentence', (args, environment, sentence) => {
    expect(() => readOptions(args, environment)).toThrow(new Error(sentence));
  });
});
