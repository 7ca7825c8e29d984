import { expect, test } from '@jest/globals';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { Happening } from '../../../../localstack/feed/happening.ts';
import { withReportedCalls } from '../../../../localstack/lambda/reported-calls.ts';

const record = (uuid: string, notifyFromVersion = '2') => ({
  eventSource: 'aws:dynamodb',
  dynamodb: {
    Keys: { uuid: { S: uuid } },
    NewImage: { version: { N: '2' }, notifyFromVersion: { N: notifyFromVersion } },
  },
});
const records = [record('a'), record('b'), record('a'), record('imported', '3')];
const request = { httpMethod: 'GET', path: '/v2/partner', headers: { Authorization: 'Bearer secret' } };
const created = succeed('{"statusCode":201,"body":"a body"}');

test.each([
  [request, created, { by: 'request', method: 'GET', path: '/v2/partner' }, { status: 201 }],
  [{ Records: records }, succeed('null'), { by: 'stream', records: 4, uuids: ['a', 'b'] }, {}],
  [{ Records: [{ eventSource: 'aws:sqs' }] }, succeed('null'), { by: 'queue', records: 1 }, {}],
  [{}, refuse('timed out' as const), { by: 'schedule' }, { failed: 'timed out' }],
])(
  'RUN-10 a call by %j is told when it begins and when it ends, without what it has or answers',
  async (event, outcome, cause, end) => {
    const told: Happening[] = [];
    const pool = { name: 'a', logFile: 'a.log', stop: async () => {}, invoke: async () => outcome };
    const answer = await withReportedCalls(pool, (happening) => told.push(happening)).invoke(
      event,
      'request',
    );

    expect(told).toEqual([
      { kind: 'called', function: 'a', cause },
      { kind: 'returned', function: 'a', cause, tookMs: expect.any(Number), ...end },
    ]);
    expect(answer).toBe(outcome);
  },
);
