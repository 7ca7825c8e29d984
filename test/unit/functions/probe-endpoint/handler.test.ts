import { expect, test } from '@jest/globals';
import { createHandler } from '../../../../functions/probe-endpoint/handler.ts';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { PostRequest } from '../../../../functions/shared/outbound/probe/pinned-post.ts';

const messages = ['wrong', 'right', 'next'].map((value) => ({
  headers: { 'X-Webhook-Signature': value },
  body: `{"test":"${value}"}`,
}));
const url = 'https://partner.example/hook';

/** A function over an endpoint that answers by the signature. */
const aProbe = (answers: Record<string, number>) => {
  const posted: PostRequest[] = [];
  const probe = createHandler({
    post: async (request) => {
      posted.push(request);
      const status = answers[request.headers['X-Webhook-Signature'] ?? ''];
      return status === undefined ? refuse('timed out') : succeed({ status, retryAfter: '7' });
    },
  });
  return { probe, posted };
};

test('sends the messages as they are, one after the other, and returns only their status', async () => {
  const { probe, posted } = aProbe({ wrong: 401, right: 204, next: 503 });

  expect(await probe({ url, messages })).toEqual([{ status: 401 }, { status: 204 }, { status: 503 }]);
  expect(posted).toEqual(messages.map((message) => ({ url, ...message })));
});

test('sends no further message after a fault', async () => {
  const { probe, posted } = aProbe({ wrong: 401 });

  expect(await probe({ url, messages })).toEqual([{ status: 401 }, { fault: 'timed out' }]);
  expect(posted).toHaveLength(2);
});
