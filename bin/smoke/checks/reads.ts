import { at, hasHeader, hasStatus, isSame, isTrue } from '../answer.ts';
import { type Check, withoutGateway, withoutGuest, withoutPartner } from '../check.ts';
import { lists, newTransaction, programOf } from '../clients.ts';

/** A partner's lists, as they come through the gateway. */
export const readChecks: readonly Check[] = [
  {
    title: 'LIST-1 LINK-2 a page of the list comes, and its links lead to it',
    unless: withoutPartner,
    look: async (visit) => {
      const { ask } = await programOf(visit);
      const answer = await ask(`${lists}?per-page=2`);
      const self = String(at(answer, '_links', 'self', 'href'));
      const below = `${visit.baseUrl}/v2/transaction?`;
      const right = [
        hasStatus(answer, 200),
        isSame('members', '_expand,data,_links,_meta', Object.keys(Object(at(answer))).join()),
        isTrue(`links below ${visit.baseUrl}`, self.startsWith(below), self),
      ];
      // The token goes to this stage alone, wherever a link leads.
      if (!self.startsWith(below)) return right;
      return [...right, isSame('the page that self leads to', answer.text, (await ask(self)).text)];
    },
    mend: 'BASE_URL of v2-read has to be the address that callers use: deploy the service stack again',
  },
  {
    title: 'R-41 COND-1 a list is kept by its caller alone, and is 304 when it is unchanged',
    unless: withoutPartner,
    look: async (visit) => {
      const { ask } = await programOf(visit);
      const answer = await ask(lists);
      const headers = { 'If-None-Match': answer.headers.get('ETag') ?? '' };
      return [
        hasHeader(answer, 'Cache-Control', /^private, no-cache$/),
        hasHeader(answer, 'Vary', /Authorization/i),
        hasStatus(await ask(lists, { headers }), 304),
      ];
    },
    mend: 'see whether something between caller and gateway changes headers: functions/shared/http/list-response.ts sets them',
  },
  {
    title: 'D-41 a long answer is compressed for who accepts it, and plain for who does not',
    unless: (visit) => withoutPartner(visit) ?? withoutGateway(visit),
    look: async (visit) => {
      const { ask } = await programOf(visit);
      // Links repeat every parameter (LINK-3), so that an empty list is long, too.
      const target = `${lists}?per-page=1&x=${'x'.repeat(600)}`;
      const compressed = await ask(target, { headers: { 'Accept-Encoding': 'gzip' } });
      const plain = await ask(target, { headers: { 'Accept-Encoding': 'identity' } });
      return [
        hasStatus(compressed, 200),
        hasHeader(compressed, 'Content-Encoding', /^gzip$/),
        hasHeader(plain, 'Content-Encoding'),
        isSame('the same text', plain.text, compressed.text),
      ];
    },
    mend: 'minCompressionSize in lib/constructs/rest-api.ts takes effect with a deployment of the API',
  },
  {
    title: 'VERB-1 HEAD has the status and headers of GET',
    unless: withoutPartner,
    look: async (visit) => {
      const { ask } = await programOf(visit);
      const get = await ask(lists);
      const head = await ask(lists, { method: 'HEAD' });
      const total = 'X-Pagination-Total-Count';
      return [
        hasStatus(head, 200),
        isSame(total, get.headers.get(total), head.headers.get(total)),
        isSame('no body', '', head.text),
      ];
    },
    mend: 'the route has to be of ANY method (lib/constructs/rest-api.ts)',
  },
  {
    title: 'R-40 ERR-2 a token without the OAuth scope of reads is 403',
    unless: withoutPartner,
    look: async (visit) => {
      const { ask } = await programOf(visit, 'nop2/write');
      const answer = await ask(lists);
      return [hasStatus(answer, 403), hasHeader(answer, 'Content-Type', /^application\/problem\+json/)];
    },
    mend: 'give the partner that you name nop2/write, too; else see the log of v2-read',
  },
  {
    title: "R-07 a session's token is refused by V2",
    unless: withoutGuest,
    look: async (visit) => {
      const { session } = await newTransaction(visit);
      const headers = { Authorization: `Bearer ${session}` };
      return [hasStatus(await visit.send(`${visit.baseUrl}${lists}`, { headers }), 401)];
    },
    mend: 'revoke nothing, ask why: functions/shared/auth/signed-token.ts tells the kinds apart',
  },
];
