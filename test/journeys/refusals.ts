import assert from 'node:assert/strict';
import { assertProblem, challengeOf, json } from './answers.ts';
import { programOf, transactions } from './clients.ts';
import type { Journey } from './world.ts';

/** What a partner meets when it asks wrongly, at the functions and at the gateway. */
export const refusalJourney: Journey = {
  name: 'a partner asks wrongly',
  steps: [
    {
      title:
        'ERR-1 ERR-2 ERR-3 M-11 R-01 R-02 TH-10 without a token, a challenge before all else, under its own or its remapped name',
      check: async ({ send, baseUrl }) => {
        for (const query of ['', '?filter[nope]=1']) {
          const answer = await send(`${baseUrl}${transactions}${query}`);

          assertProblem(answer, 401, 'Unauthorized');
          const metadata = `${baseUrl}/.well-known/oauth-protected-resource/api/v2`;
          const challenge = `Bearer realm="api", resource_metadata="${metadata}"`;
          assert.equal(challengeOf(answer), challenge);
          assert.equal(answer.headers.get('Content-Type'), 'application/problem+json');
          assert.deepEqual(json(answer), {
            type: `${baseUrl}/docs/problems#invalid-credentials`,
            title: 'Unauthorized',
            status: 401,
            detail: 'Your request was made with invalid credentials.',
            instance: transactions,
            name: 'Unauthorized',
            message: 'Your request was made with invalid credentials.',
            code: 0,
            requestId: answer.headers.get('Request-Id'),
          });
        }
      },
      mend: 'lib/README.md tells partners which of both names a deployed client sees: correct it',
    },
    {
      title: 'ERR-2 a text that is no token is an invalid one',
      check: async (world) => {
        const answer = await programOf(world, 'e30.e30.e30').ask(transactions);

        assertProblem(answer, 401, 'Unauthorized');
        assert.match(challengeOf(answer), /^Bearer realm="api", error="invalid_token"/);
      },
    },
    {
      title: 'R-40 ERR-2 a token without the OAuth scope of reads is 403',
      check: async (world) => {
        const answer = await programOf(world, world.tokens.writeOnly).ask(transactions);

        assertProblem(answer, 403, 'Forbidden');
        assert.equal(
          challengeOf(answer),
          'Bearer realm="api", error="insufficient_scope", scope="nop2/read"',
        );
      },
      mend: 'give the partner that you name nop2/write, too; else see the log of v2-read',
    },
    {
      title: 'ERR-5 a correlation id comes back when it is well formed',
      check: async (world) => {
        const { ask } = programOf(world);
        const wellFormed = await ask(transactions, { headers: { 'X-Correlation-Id': 'order-7' } });
        const illFormed = await ask(transactions, { headers: { 'X-Correlation-Id': 'no spaces' } });

        assert.equal(wellFormed.headers.get('X-Correlation-Id'), 'order-7');
        assert.equal(illFormed.headers.get('X-Correlation-Id'), null);
      },
      mend: 'see whether the gateway drops the header: functions/shared/middleware/respond.ts sets it',
    },
  ],
};
