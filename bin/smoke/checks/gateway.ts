import { type Answer, at, type Expectation, hasHeader, hasStatus, isTrue } from '../answer.ts';
import { type Check, withoutPartner } from '../check.ts';
import { lists, programOf } from '../clients.ts';
import type { Visit } from '../visit.ts';

/** An id, whoever gave it. */
const anyId = /^\S{8,}$/;

const ofTransactions = (answer: Answer, status: number): Expectation[] => [
  hasStatus(answer, status),
  hasHeader(answer, 'Content-Type', /^application\/problem\+json/),
  hasHeader(answer, 'Request-Id', anyId),
  isTrue('the id of the header in the body', at(answer, 'requestId') === answer.headers.get('Request-Id')),
];

const ofTokens = (answer: Answer, status: number): Expectation[] => [
  hasStatus(answer, status),
  hasHeader(answer, 'Content-Type', /^application\/json/),
  hasHeader(answer, 'Request-Id', anyId),
  isTrue('an error as RFC 6749, 5.2 writes it', typeof at(answer, 'error') === 'string', answer.text),
];

/** A local stage has both APIs at one address, and one form for its unknown routes. */
const unknownRoutes = async ({ send, baseUrl, authUrl }: Visit, headers = {}) => [
  ...ofTransactions(await send(`${baseUrl}/nothing-here`, { headers }), 404),
  ...(authUrl === baseUrl ? [] : ofTokens(await send(`${authUrl}/nothing-here`, { headers }), 404)),
];

const inGateway = 'lib/gateway-answers.ts has the answers of the gateway, by its names for them';

/** What API Gateway answers by itself, and what it does to requests on their way (TH-10). */
export const gatewayChecks: readonly Check[] = [
  {
    title: 'S-75 ERR-5 an unknown route is 404 in the form of its API',
    look: (visit) => unknownRoutes(visit),
    mend: `${inGateway}: MISSING_AUTHENTICATION_TOKEN`,
  },
  {
    title: 'S-75 ERR-5 an unknown route is 404 for who shows a token, too',
    // The gateway takes an Authorization of an unknown route for a signature of AWS.
    look: (visit) => unknownRoutes(visit, { Authorization: 'Bearer e30.e30.e30' }),
    mend: `${inGateway}: find the name for this one in the access log (gatewayError), and give it the answer of an unknown route`,
  },
  {
    title: 'S-75 TH-10 a body of more than 10 MB is 413, with a Request-Id',
    // The body of this one cannot be set.
    look: async ({ send, baseUrl }) => {
      const body = 'x'.repeat(10 * 1024 * 1024 + 1);
      const headers = { 'Content-Type': 'application/json' };
      const answer = await send(`${baseUrl}/api/v2/payment`, { method: 'POST', headers, body });
      return [hasStatus(answer, 413), hasHeader(answer, 'Request-Id', anyId)];
    },
    mend: `${inGateway}: REQUEST_TOO_LARGE; where the connection ended before the answer was read, the access log has the 413`,
  },
  {
    title: 'R-01 R-02 TH-10 without a token the challenge comes, under its own or its remapped name',
    look: async ({ send, baseUrl }) => {
      const answer = await send(`${baseUrl}${lists}`);
      const remapped = answer.headers.get('WWW-Authenticate') ? '' : 'x-amzn-remapped-';
      return [
        ...ofTransactions(answer, 401),
        hasHeader(answer, `${remapped}WWW-Authenticate`, /^Bearer realm="api", resource_metadata="https?:/),
      ];
    },
    mend: 'lib/README.md tells partners which of both names a deployed client sees: correct it',
  },
  {
    title: 'O-48 TH-10 no header changes the method',
    look: async ({ send, baseUrl, authUrl }) => {
      const toPost = await send(`${authUrl}/oauth2/token`, {
        headers: { 'X-HTTP-Method-Override': 'POST' },
      });
      const toGet = await send(`${baseUrl}/api/v2/payment`, {
        headers: { 'X-HTTP-Method-Override': 'POST' },
      });
      return [hasStatus(toPost, 405), hasStatus(toGet, 405, 401)];
    },
    mend: 'functions/shared/middleware/allow-methods.ts judges the method of the event: see which one the gateway hands on',
  },
  {
    title: 'TH-10 QS-1 semicolons, pipes and braces of a query are no fault',
    unless: withoutPartner,
    // "Amazon API Gateway important notes": raw ones are not supported, and `;` splits.
    look: async (visit) => {
      const { ask } = await programOf(visit);
      const queries = ['page=1;per-page=2', 'x=a|b', 'x={a}', 'page=1%3Bper-page%3D2', 'x=%FF'];
      const answers = await Promise.all(queries.map((query) => ask(`${lists}?${query}`)));
      return answers.map((answer) => hasStatus(answer, 200, 400, 422));
    },
    mend: 'the id of the request is in the function log: functions/shared/http/request.ts reads the parameters',
  },
  {
    title: 'QS-1 FLT-2 a repeated filter reaches the function as it was sent, and is 422',
    unless: withoutPartner,
    look: async (visit) => {
      const { ask } = await programOf(visit);
      const answers = await Promise.all(
        ['filter[status]=0&filter[status]=1', 'filter%5Bstatus%5D=0&filter%5Bstatus%5D=1'].map((query) =>
          ask(`${lists}?${query}`),
        ),
      );
      return answers.flatMap((answer) => [
        ...ofTransactions(answer, 422),
        isTrue(
          'the filter named as it was written',
          at(answer, 'errors', 0, 'field') === 'filter[status]',
          answer.text,
        ),
      ]);
    },
    mend: 'functions/shared/http/request.ts reads the multi-value map: see what the gateway makes of brackets',
  },
  {
    title: 'S-45 answers of functions and of the gateway carry the security headers',
    look: async ({ send, baseUrl, authUrl }) => {
      const targets = [`${baseUrl}${lists}`, `${baseUrl}/nothing-here`, `${authUrl}/oauth2/jwks`];
      const answers = await Promise.all(targets.map((url) => send(url)));
      return answers.flatMap((answer) => [
        hasHeader(answer, 'X-Content-Type-Options', /^nosniff$/),
        hasHeader(answer, 'Strict-Transport-Security', /max-age=\d{7,}/),
        hasHeader(answer, 'X-Powered-By'),
      ]);
    },
    mend: 'functions/shared/http/response.ts and lib/constructs/gateway-responses.ts set them',
  },
  {
    title: 'ERR-5 a well-formed correlation id comes back',
    look: async ({ send, baseUrl }) => {
      const answer = await send(`${baseUrl}${lists}`, { headers: { 'X-Correlation-Id': 'smoke-7' } });
      return [hasHeader(answer, 'X-Correlation-Id', /^smoke-7$/), hasHeader(answer, 'Request-Id', anyId)];
    },
    mend: 'see whether the gateway drops the header: functions/shared/middleware/respond.ts sets it',
  },
  {
    title: 'S-40 above the throttle the answer is 429 with Retry-After, and nothing is a fault',
    unless: ({ burst }) => (burst === undefined ? 'it needs --burst' : undefined),
    look: async ({ send, baseUrl, burst = 0 }) => {
      const answers = await Promise.all(Array.from({ length: burst }, () => send(`${baseUrl}${lists}`)));
      const throttled = answers.find(({ status }) => status === 429);
      const faults = answers.filter(({ status }) => status >= 500);
      return [
        isTrue('no fault', faults.length === 0, `${faults.length} of ${burst} are faults`),
        ...(throttled
          ? [...ofTransactions(throttled, 429), hasHeader(throttled, 'Retry-After', /^\d+$/)]
          : [isTrue('one of 429', false, `none of ${burst}`)]),
      ];
    },
    mend: 'ask for more at once than the burst of `throttle` in lib/config.ts; a fault under load is in the function log, or a limit of concurrent executions (npm run preflight)',
  },
];
