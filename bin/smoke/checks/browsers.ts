import { type Answer, hasHeader, hasStatus, isTrue } from '../answer.ts';
import { type Check, withoutGuest } from '../check.ts';
import { buyerOf, guestOf, lists } from '../clients.ts';

const foreign = 'https://evil.example';
const preflight = {
  method: 'OPTIONS',
  headers: { Origin: foreign, 'Access-Control-Request-Method': 'GET' },
};

/** What scripts of web pages may and may not read. */
export const browserChecks: readonly Check[] = [
  {
    title: "V1-7 S-44 O-57 a foreign page's preflight is let through nowhere",
    look: async ({ send, baseUrl, authUrl }) => {
      const targets = [`${baseUrl}/api/transaction`, `${baseUrl}${lists}`, `${authUrl}/oauth2/token`];
      const answers = await Promise.all(targets.map((url) => send(url, preflight)));
      return answers.map((answer) => hasHeader(answer, 'Access-Control-Allow-Origin'));
    },
    mend: 'functions/shared/middleware/cors.ts alone names origins: see whether the gateway answers OPTIONS by itself',
  },
  {
    title: "V1-7 S-44 a registered shop's page is let through, and reads the session's token",
    unless: withoutGuest,
    look: async (visit) => {
      const { origin } = guestOf(visit);
      const asked = await visit.send(`${visit.baseUrl}/api/transaction`, {
        ...preflight,
        headers: { ...preflight.headers, Origin: origin },
      });
      const head = await buyerOf(visit)({ method: 'HEAD' });
      return [
        hasStatus(asked, 204),
        letsIn(asked, origin),
        letsIn(head, origin),
        hasHeader(head, 'Access-Control-Expose-Headers', /authentication-token/i),
      ];
    },
    mend: 'see `operator storefront list`: the origin is registered, and functions/v1-transaction answers its pages',
  },
];

const letsIn = (answer: Answer, origin: string) =>
  isTrue(
    `Access-Control-Allow-Origin: ${origin} for ${answer.request}`,
    answer.headers.get('Access-Control-Allow-Origin') === origin,
    answer.headers.get('Access-Control-Allow-Origin') ?? 'none',
  );
