import assert from 'node:assert/strict';
import { assertProblem, at, challengeOf, json, list } from './answers.ts';
import { programOf, transactions } from './clients.ts';
import type { Answer, Journey } from './world.ts';

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
      title: 'FLT-2 ERR-1 all wrong filters at once are 422, each named as the caller wrote it',
      check: async (world) => {
        const query = 'filter[status]=2&filter%5Bnope%5D=1&filter[uuid]=';
        const answer = await programOf(world).ask(`${transactions}?${query}`);

        const faults = list(at(json(answer), 'errors'));
        assertProblem(answer, 422, 'Unprocessable Content');
        assert.deepEqual(
          faults.map((fault) => at(fault, 'field')),
          ['filter[status]', 'filter[nope]', 'filter[uuid]'],
        );
        assert.equal(at(faults[1], 'message'), 'The filter is unknown.');
      },
    },
    {
      title: 'QS-1 a hundred and one parameters, or five levels, are 400',
      check: async (world) => {
        const { ask } = programOf(world);
        const many = Array.from({ length: 101 }, (_, index) => `p${index}=1`).join('&');

        for (const query of [many, 'a=1&'.repeat(101), 'a[b][c][d][e]=1'])
          assertProblem(await ask(`${transactions}?${query}`), 400, 'Bad Request');
      },
    },
    {
      title: 'VERB-1 other methods on a list are 405 and say which are allowed',
      check: async (world) => {
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const answer = await programOf(world).ask(transactions, { method });

          assertProblem(answer, 405, 'Method Not Allowed');
          assert.equal(answer.headers.get('Allow'), 'GET, HEAD, OPTIONS');
        }
      },
    },
    {
      title: 'VERB-1 OPTIONS needs no token',
      check: async ({ send, baseUrl }) => {
        const answer = await send(`${baseUrl}${transactions}`, { method: 'OPTIONS' });

        assert.deepEqual([answer.status, answer.text], [204, '']);
        assert.equal(answer.headers.get('Allow'), 'GET, HEAD, OPTIONS');
      },
    },
    {
      title: "V2-1 an unknown uuid is 404 in the API's own words",
      check: async (world) => {
        assertProblem(await programOf(world).ask(`${transactions}/no-such-uuid`), 404, 'Not Found');
      },
    },
    {
      title: 'ERR-4 no value is too long or too odd',
      check: async (world) => {
        const { ask } = programOf(world);
        const long = 'x'.repeat(3000);
        const identifiers = ['filter[identifiers][ndstockid]', 'filter[identifiers][salesmasterid]'];
        const names = ['filter[uuid]', ...identifiers, 'after', 'page'];
        const odd = ['filter[uuid]=%00', `${identifiers[0]}=%ED%A0%80`, 'page=999999999999999999999'];
        const queries = [...names.map((name) => `${name}=${long}`), ...odd, '&&=&[=]'];
        const targets = [...queries.map((query) => `?${query}`), `/${long}`, '/%2e%2e'];

        const answers: Answer[] = [];
        for (const target of targets) answers.push(await ask(`${transactions}${target}`));

        for (const { request, status, headers } of answers) {
          assert.ok(status < 500, `${status} to ${request}`);
          assert.ok(headers.has('Request-Id'), request);
        }
      },
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
