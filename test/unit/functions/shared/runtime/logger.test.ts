import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLog } from '../../../../../functions/shared/runtime/logger.ts';
import { requestLines } from '../../../../../functions/shared/runtime/request-lines.ts';

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  }
});
afterEach(() => void jest.restoreAllMocks());

test('a line has its code, its facts and the service', () => {
  createLog('v2-read', requestLines)('requestAnswered', {
    requestId: 'request-1',
    route: '/v2/transaction',
    status: 200,
  });

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'INFO',
      service: 'v2-read',
      code: 'HTTP_ANSWERED',
      requestId: 'request-1',
      route: '/v2/transaction',
      status: 200,
    },
  ]);
});

test('S-58 input of callers cannot begin a line, end a value or colour a terminal', () => {
  const hostile = 'x"}\n{"level":"ERROR","code":"FORGED"}\r\u001b[31m\u2028';

  createLog('v2-read', requestLines)('requestAnswered', {
    requestId: hostile,
    correlationId: hostile,
    route: hostile,
    method: hostile,
  });

  expect(lines).toHaveLength(1);
  const [line = ''] = lines;
  expect(JSON.parse(line)).toMatchObject({ level: 'INFO', code: 'HTTP_ANSWERED', route: hostile });
  expect([...line.trimEnd()].filter((character) => character < ' ')).toEqual([]);
});

test('S-57 a fault is logged by kind and place, never with its message', () => {
  const fault = Object.assign(new Error('customer ada@example.com\n    at ada@example.com'), {
    name: 'ValidationException',
  });

  createLog('v2-read', requestLines)('requestFailed', {}, fault);

  const [line = ''] = lines;
  expect(JSON.parse(line).fault.name).toBe('ValidationException');
  expect(JSON.parse(line).fault.at[0]).toContain('logger.test.ts');
  expect(line).not.toContain('ada@example.com');
});
