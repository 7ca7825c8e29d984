import { describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { createProblemWriter } from '../../../../../functions/shared/http/problem.ts';
import { noContent } from '../../../../../functions/shared/http/response.ts';
import { respond } from '../../../../../functions/shared/middleware/respond.ts';
import { httpEvent } from '../../../../support/builders/http-event.ts';

/** One request through a function that does what is given, and the codes that it logged. */
const answerOf = async (
  event: Partial<ReturnType<typeof httpEvent>>,
  inner: Parameters<typeof respond>[1] = async () => noContent({}),
) => {
  const logged: string[] = [];
  const handler = respond(
    {
      log: (name) => void logged.push(name),
      clock: () => new Date(0),
      writeProblem: createProblemWriter('https://api.example'),
    },
    inner,
  );
  const context = { awsRequestId: 'id-of-the-function' } as Context;
  const { headers } = await handler({ ...httpEvent('/api/transaction'), ...event }, context);
  return { requestId: headers?.['Request-Id'], logged };
};

describe('ERR-5 the request id', () => {
  test("is the gateway's, which its access log and its own responses have as well", async () => {
    expect((await answerOf({})).requestId).toBe('request-1');
  });

  test("is the function's without a gateway", async () => {
    const { requestId } = await answerOf({ requestContext: {} as never });

    expect(requestId).toBe('id-of-the-function');
  });
});

describe('ERR-4 the log line of a fault', () => {
  test.each([
    ['ThrottlingException', 'storeUnavailable'],
    ['ValidationException', 'requestFailed'],
  ])('%s is %s: a retry helps against one, and a person has to look at the other', async (name, code) => {
    const { logged } = await answerOf({}, async () => {
      throw Object.assign(new Error('x'), { name });
    });

    expect(logged).toEqual([code, 'requestAnswered']);
  });
});
