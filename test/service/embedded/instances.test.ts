import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openClock } from '../../../localstack/embedded/clock.ts';
import { root } from '../../support/repository.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../../support/stage/open-stage.ts';
import { tinyFunctions } from '../../support/stage/tiny-function.ts';

const turn = () => new Promise(setImmediate);
/** Resolves when everything that is known now has happened. */
const settled = async () => {
  for (let turns = 0; turns < 10; turns += 1) await turn();
};

describe('variables of functions', () => {
  test('EMB-1 a function sees its own variables and no others, beside another function and after it has waited', async () => {
    const seen: unknown[] = [];
    const look = () => ({
      own: process.env.OWN,
      name: process.env.AWS_LAMBDA_FUNCTION_NAME,
      path: process.env.PATH,
    });
    const load = () => {
      seen.push(look().own);
      return async () => {
        const before = look();
        await turn();
        return [before, look(), 'PATH' in process.env, Object.keys(process.env).includes('OWN')];
      };
    };
    const { invoke } = tinyFunctions({ 'v2-read': load, 'v2-write': load });

    const answers = await Promise.all([invoke('v2-read', {}), invoke('v2-write', {})]);

    const [read, write] = ['v2-read', 'v2-write'].map((name) => ({ own: `of ${name}`, name }));
    expect(answers.map((answer) => answer.ok && JSON.parse(answer.value))).toEqual([
      [read, read, false, true],
      [write, write, false, true],
    ]);
    expect(seen).toEqual(['of v2-read', 'of v2-write']);
    expect([process.env.OWN, process.env.PATH]).toEqual([undefined, expect.any(String)]);
  });

  test('EMB-1 what a function sets in its variables is its own', async () => {
    const { invoke } = tinyFunctions({
      'v2-read': () => async () => {
        process.env.OWN = 'changed';
        delete process.env.AWS_REGION;
        return [process.env.OWN, process.env.AWS_REGION];
      },
    });

    expect(await invoke('v2-read', {})).toEqual({ ok: true, value: '["changed",null]' });
    expect(process.env.OWN).toBeUndefined();
  });
});

describe('the functions of the service', () => {
  let stage: ServiceStage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  test('EMB-1 a function that reads a name which it is not given does not load', async () => {
    await expect(stage.start('v2-read', { TRANSACTIONS_TABLE: '', BASE_URL: '' })).rejects.toThrow(
      'Environment variables are not set: BASE_URL, TRANSACTIONS_TABLE',
    );
  });

  test('EMB-1 an instance of its own has the variables that a test gives it', async () => {
    const elsewhere = await stage.start('v2-read', { BASE_URL: 'https://elsewhere.example' });
    const event = {
      httpMethod: 'GET',
      path: '/api/v2/transaction',
      headers: {},
      requestContext: { requestId: 'r' },
    };

    const answers = [await stage.invoke('v2-read', event), await elsewhere(event)].map(
      (answer) => answer.ok && answer.value.includes('https://elsewhere.example/'),
    );

    expect(answers).toEqual([false, true]);
  });
});

describe('instances', () => {
  /** A function that waits until the test lets it go; each instance counts its own calls. */
  const held = () => {
    const waiting: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const load = () => {
      let calls = 0;
      return async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => waiting.push(resolve));
        running -= 1;
        calls += 1;
        return calls;
      };
    };
    const letGo = async () => {
      await settled();
      for (const go of waiting.splice(0)) go();
      await settled();
    };
    return { load, waiting, letGo, most: () => most };
  };
  const values = async (calls: Promise<unknown>[]) =>
    (await Promise.all(calls)).map((outcome) => (outcome as { value: string }).value);

  test.each([
    ['v2-read', 2],
    ['capture-change', 1],
    ['keep-endpoints', 5],
    ['publish-dormant', 6],
  ] as const)('EMB-2 %s has at most %d calls at a time; the others wait', async (name, most) => {
    const { load, waiting, letGo } = held();
    const { invoke, calls } = tinyFunctions({ [name]: load });
    const all = Array.from({ length: 20 }, () => invoke(name, {}));
    await settled();
    const [atOnce, unanswered] = [waiting.length, calls()];
    while (calls() > 0) await letGo();

    expect([atOnce, unanswered]).toEqual([most, 20]);
    expect(await values(all)).toHaveLength(20);
  });

  test('EMB-2 an instance handles one event at a time and is kept for the next; two have two caches', async () => {
    const { load, letGo, most } = held();
    const { invoke } = tinyFunctions({ 'v2-read': load });
    const first = [invoke('v2-read', 1), invoke('v2-read', 2), invoke('v2-read', 3)];
    await letGo();
    await letGo();

    expect(await values(first)).toEqual(['1', '1', '2']);
    expect(most()).toBe(2);
  });

  test('EMB-2 an instance that does not load fails its call, and the next call loads another', async () => {
    let loads = 0;
    const { invoke } = tinyFunctions({
      'capture-change': () => {
        loads += 1;
        if (loads === 1) throw new Error('does not load');
        return async () => 'loaded';
      },
    });

    await expect(invoke('capture-change', {})).rejects.toThrow('does not load');
    expect(await invoke('capture-change', {})).toEqual({ ok: true, value: '"loaded"' });
  });
});

describe('the border', () => {
  test('EMB-3 events and results pass as JSON text: what JSON does not have is lost, and nothing is shared', async () => {
    const received: unknown[] = [];
    const result = { at: new Date(0), none: undefined, text: 'x' };
    const { invoke } = tinyFunctions({
      'v2-read': () => async (event) => {
        received.push(event);
        return result;
      },
      'v2-write': () => async () => undefined,
    });
    const event = { at: new Date(0), none: undefined };

    expect(await invoke('v2-read', event)).toEqual({
      ok: true,
      value: '{"at":"1970-01-01T00:00:00.000Z","text":"x"}',
    });
    expect(received).toStrictEqual([{ at: '1970-01-01T00:00:00.000Z' }]);
    expect(await invoke('v2-write', {})).toEqual({ ok: true, value: 'null' });
  });

  test('EMB-3 a fault of a function is a refusal with its name; its stack is in the log alone', async () => {
    const { invoke, lines } = tinyFunctions({
      'v2-read': () => () => {
        throw new TypeError('no such thing');
      },
    });

    expect(await invoke('v2-read', {})).toEqual({ ok: false, reason: 'threw TypeError: no such thing' });
    expect(lines.join('')).toMatch(/^v2-read: TypeError: no such thing\n {4}at .*instances\.test\.ts/);
  });

  test('EMB-3 the context names the request, the function, and the time that is left', async () => {
    const { invoke } = tinyFunctions({
      'collect-dead-letters': () => async (_, context) => {
        const { getRemainingTimeInMillis, ...facts } = context as { getRemainingTimeInMillis: () => number };
        const left = getRemainingTimeInMillis();
        return { ...facts, isLeft: left > 4_000 && left <= 5_000 };
      },
    });

    const outcome = await invoke('collect-dead-letters', {}, 'request-1');

    expect(outcome.ok && JSON.parse(outcome.value)).toEqual({
      awsRequestId: 'request-1',
      functionName: 'collect-dead-letters',
      functionVersion: '$LATEST',
      memoryLimitInMB: '1024',
      callbackWaitsForEmptyEventLoop: true,
      isLeft: true,
    });
  });
});

describe('the time of a call', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('EMB-4 a call ends at its function’s own timeout, by the machine’s time, and its instance is given up', async () => {
    jest.useFakeTimers({ doNotFake: ['Date', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    let loads = 0;
    const { invoke } = tinyFunctions({
      'collect-dead-letters': () => {
        loads += 1;
        const own = loads;
        return async (event) => (event === 'hang' ? new Promise(() => {}) : own);
      },
    });
    const clock = openClock();
    const outcomes: unknown[] = [];
    const hung = invoke('collect-dead-letters', 'hang').then((outcome) => outcomes.push(outcome));
    await settled();
    clock.moveOn(31 * 86_400_000);
    clock.close();
    jest.advanceTimersByTime(4_999);
    await settled();
    const early = outcomes.length;
    jest.advanceTimersByTime(1);
    await hung;

    expect(early).toBe(0);
    expect(outcomes).toEqual([{ ok: false, reason: 'timed out' }]);
    expect(await invoke('collect-dead-letters', 'next')).toEqual({ ok: true, value: '2' });
  });

  test('EMB-4 a request or a line after the answer is reported with its function; before the answer neither is', async () => {
    const ask = () => void get('http://127.0.0.1:1/').on('error', () => {});
    const { invoke, late, lines } = tinyFunctions({
      'v2-read': () => async () => {
        ask();
        process.stdout.write('in time\n');
        setImmediate(() => {
          ask();
          process.stdout.write('too late\n');
        });
      },
    });

    await invoke('v2-read', {});
    const early = [...late];
    await settled();

    expect([early, late, lines]).toEqual([
      [],
      ['v2-read: GET /', 'v2-read: too late\n'],
      ['v2-read: in time\n', 'v2-read: too late\n'],
    ]);
  });

  test('EMB-4 a rejection that nobody handles names its function, whose next call is answered; its lines are not on the terminal, and late work is told there', async () => {
    const program = join(root, 'test/support/stage/terminal-program.ts');

    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--no-warnings', program]);

    expect(stdout).toBe(`{ ok: true, value: '"first"' }\n{ ok: true, value: '"goes on"' }\n`);
    expect(stderr).toBe('v2-read left unhandled: Error: nobody waits for it\nv2-read went on\n');
  });
});

describe('a stage', () => {
  endEngineAfterFile();

  test('EMB-4 work of a function after its answer fails the test that closes the stage, and the stage is closed', async () => {
    const stage = await openStage({
      handlers: {
        'serve-docs': async () => {
          setImmediate(() => process.stdout.write('too late\n'));
          return { statusCode: 200 };
        },
      },
    });
    await stage.ask('GET', '/docs');
    await settled();

    await expect(stage.close()).rejects.toThrow(
      /^Functions went on after their answers:\nserve-docs: too late\n$/,
    );
    await expect(stage.ask('GET', '/docs')).rejects.toThrow('fetch failed');
  });

  test('EMB-4 a fault of a function is one sentence for a person, and its lines are in the log alone', async () => {
    const stage = await openStage({
      handlers: {
        'serve-docs': () => {
          process.stdout.write('{"code":"canary","token":"a secret"}\n');
          throw new TypeError('no such page');
        },
      },
    });
    const { status } = await stage.ask('GET', '/docs');
    await stage.close();

    expect([status, stage.warnings()]).toEqual([
      502,
      ['serve-docs at GET /docs: the function threw TypeError: no such page.'],
    ]);
    expect(stage.logged('canary')).toEqual([{ code: 'canary', token: 'a secret' }]);
    expect(stage.written()).toContain('TypeError: no such page\n    at');
  });
});
