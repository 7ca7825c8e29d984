import assert from 'node:assert/strict';
import { assertProblem, at, json, text } from './answers.ts';
import { programOf, transactions } from './clients.ts';
import type { Answer, Journey, World } from './world.ts';

/** An error as RFC 6749, 5.2 writes it (ERR-6). */
const assertOAuthError = (answer: Answer, status: number) => {
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.headers.get('Content-Type') ?? '', /^application\/json/);
  assert.match(answer.headers.get('Request-Id') ?? '', /^\S{8,}$/);
  text(at(json(answer), 'error'));
};

/** The embedded stage has both APIs at one address, and one form for its unknown routes. */
const assertUnknown = async ({ send, baseUrl, authUrl }: World, headers = {}) => {
  for (const path of ['/nothing-here', '/api/v2/nothing-here'])
    assertProblem(await send(`${baseUrl}${path}`, { headers }), 404, 'Not Found');
  if (authUrl !== baseUrl) assertOAuthError(await send(`${authUrl}/nothing-here`, { headers }), 404);
};

const inGateway =
  'lib/constructs/api/gateway-answers.ts has the answers of the gateway, by its names for them';

/** What API Gateway answers by itself, and what it does to requests on their way (TH-10). */
export const gatewayJourney: Journey = {
  name: 'a caller meets the gateway',
  steps: [
    {
      title: 'S-75 ERR-5 an unknown route is 404 in the form of its API',
      check: (world) => assertUnknown(world),
      mend: `${inGateway}: MISSING_AUTHENTICATION_TOKEN`,
    },
    {
      title: 'S-75 ERR-5 an unknown route is 404 for who shows a token, too',
      // The gateway takes an Authorization of an unknown route for a signature of AWS.
      check: (world) => assertUnknown(world, { Authorization: 'Bearer e30.e30.e30' }),
      mend: `${inGateway}: the access log has the one of this answer (gatewayError)`,
    },
    {
      title: 'S-75 TH-10 a body of more than 10 MB is 413, with a Request-Id',
      // The body of this answer cannot be set.
      check: async ({ send, baseUrl }) => {
        const body = 'x'.repeat(10 * 1024 * 1024 + 1);
        const headers = { 'Content-Type': 'application/json' };
        const answer = await send(`${baseUrl}/api/v2/payment`, { method: 'POST', headers, body });

        assert.equal(answer.status, 413);
        assert.match(answer.headers.get('Request-Id') ?? '', /^\S{8,}$/);
      },
      mend: `${inGateway}: REQUEST_TOO_LARGE; where the connection ended before the answer, the access log has the 413`,
    },
    {
      title: 'O-48 S-85 TH-10 no header changes the method',
      check: async ({ send, baseUrl, authUrl }) => {
        const headers = { 'X-HTTP-Method-Override': 'POST' };
        const token = await send(`${authUrl}/oauth2/token`, { headers });
        const session = await send(`${baseUrl}/api/session`, { headers });
        const payment = await send(`${baseUrl}/api/v2/payment`, { headers });

        assert.equal(token.status, 405);
        assert.equal(session.status, 405);
        assert.ok([401, 405].includes(payment.status), `${payment.status}`);
      },
      mend: 'functions/shared/middleware/allow-methods.ts judges the method that the gateway hands on',
    },
    {
      title: 'TH-10 QS-1 semicolons, pipes and braces of a query are no fault',
      // "Amazon API Gateway important notes": raw ones are not supported, and `;` splits.
      check: async (world) => {
        for (const query of ['page=1;per-page=2', 'x=a|b', 'x={a}', 'page=1%3Bper-page%3D2', 'x=%FF']) {
          const { status } = await programOf(world).ask(`${transactions}?${query}`);
          assert.ok([200, 400, 422].includes(status), `${status} to ${query}`);
        }
      },
      mend: 'the log of v2-read has the request: functions/shared/http/request.ts reads the parameters',
    },
    {
      title: 'QS-1 FLT-2 a repeated filter reaches the function as it was sent, and is 422',
      check: async (world) => {
        for (const name of ['filter[status]', 'filter%5Bstatus%5D']) {
          const answer = await programOf(world).ask(`${transactions}?${name}=0&${name}=1`);

          assertProblem(answer, 422, 'Unprocessable Content');
          assert.equal(at(json(answer), 'errors', 0, 'field'), 'filter[status]');
        }
      },
      mend: 'functions/shared/http/request.ts reads the multi-value map: see what the gateway makes of brackets',
    },
    {
      title: 'S-45 answers of functions and of the gateway carry the security headers',
      check: async ({ send, baseUrl, authUrl }) => {
        for (const url of [
          `${baseUrl}${transactions}`,
          `${baseUrl}/nothing-here`,
          `${authUrl}/oauth2/jwks`,
        ]) {
          const { headers } = await send(url);

          assert.equal(headers.get('X-Content-Type-Options'), 'nosniff', url);
          assert.match(headers.get('Strict-Transport-Security') ?? '', /max-age=\d{7,}/, url);
          assert.equal(headers.get('X-Powered-By'), null, url);
        }
      },
      mend: 'functions/shared/http/response.ts and lib/constructs/api/gateway-answers.ts set them',
    },
    {
      title: "V1-7 S-44 O-57 a foreign page's preflight is let through nowhere",
      check: async ({ send, baseUrl, authUrl }) => {
        const own = new URL(baseUrl).origin;
        for (const [url, origin] of [
          [`${baseUrl}/api/transaction`, 'https://evil.example'],
          // No page is at the service's own origin, either; the embedded stage refuses others itself (S-83).
          [`${baseUrl}${transactions}`, own],
          [`${authUrl}/oauth2/token`, own],
        ] as const) {
          const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
          const answer = await send(url, { method: 'OPTIONS', headers });
          assert.equal(answer.headers.get('Access-Control-Allow-Origin'), null, url);
        }
      },
      mend: 'functions/shared/middleware/cors.ts alone names origins: see whether the gateway answers OPTIONS',
    },
  ],
};

/** So many requests at once as meet the throttle; callers of the same method feel it. */
export const burstJourney = (count: number): Journey => ({
  name: 'callers ask more than the throttle lets through',
  steps: [
    {
      title: 'S-40 above the throttle the answer is 429 with Retry-After, and nothing is a fault',
      check: async ({ send, baseUrl }) => {
        const asked = Array.from({ length: count }, () => send(`${baseUrl}${transactions}`));
        const answers = await Promise.all(asked);
        const throttled = answers.find(({ status }) => status === 429);

        assert.equal(answers.filter(({ status }) => status >= 500).length, 0, 'faults');
        assert.ok(throttled, `none of ${count} is 429`);
        assertProblem(throttled, 429, 'Too Many Requests');
        assert.match(throttled.headers.get('Retry-After') ?? '', /^\d+$/);
      },
      mend: 'ask for more than the burst of `throttle` in lib/config.ts; a fault is in the log of v2-read, or a limit of concurrent executions (npm run preflight)',
    },
  ],
});
