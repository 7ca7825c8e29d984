import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { address, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { anyText } from '../../../support/builders/any-text.ts';
import { unknownNames } from '../../../support/builders/closed-shape.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';
import { uuidOf } from '../../../support/builders/transactions.ts';

/** Two sessions and imported records; everything that is not of the first session says `hidden`. */
const aWorld = async () => {
  const v1 = await aV1();
  for (let n = 0; n < 24; n += 1) {
    const session = ['mine', 'theirs', 'nobody'][n % 3] ?? '';
    const isSeen = session === 'mine' && n % 12 !== 0;
    const mark = isSeen ? 'seen' : 'hidden';
    await v1.given(session, {
      uuid: uuidOf(n),
      status: n % 2 === 0 ? 0 : 1,
      isDeleted: n % 12 === 0 ? 1 : 0,
      guestEmail: `${mark}@example.com`,
      vehicle: { mark, identifiers: { ndstockid: `S${n % 4}`, salesmasterid: `X${n}` } },
      payments: [{ id: n, token: 'hidden', reference: mark }],
    });
  }
  return { v1, token: await v1.tokens.issue('mine') };
};

const names = fc.constantFrom(
  ...'uuid uuid[] UUID location franchise expand fields page per-page after'.split(' '),
  ...'filter[uuid] filter[status] filter[identifiers][ndstockid] filter[identifiers][salesmasterid]'.split(
    ' ',
  ),
  ...'%20uuid amp;location +filter[uuid] filter filter[] FILTER filter[status][] access_token __proto__ a[b][c][d][e] []'.split(
    ' ',
  ),
  '',
);
const fragments = fc.constantFrom(
  ...Array.from({ length: 12 }, (_, n) => uuidOf(n)),
  ...'0 1 -1 1e9 S1 X3 X4 * vehicle payments.token payments session version'.split(' '),
  ...['north', 'south', 'stage', 'F1', '%00', '%ff', '%', '+', '\r\n', '\u202e', "' OR 1=1--", '__proto__'],
);
const values = fc.oneof(
  { weight: 6, arbitrary: fc.array(fragments, { maxLength: 3 }).map((parts) => parts.join(',')) },
  { weight: 1, arbitrary: anyText({ maxLength: 30 }) },
);
const queries = fc
  .array(fc.tuple(names, values), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
const methods = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE');
const paths = fc.constantFrom(address, '/transaction/', `${address}/${uuidOf(3)}`);
const origins = fc.oneof(
  fc.constantFrom(shop, 'https://else.example', 'null', ''),
  fc.string({ maxLength: 400 }),
);
const credentials = fc.oneof(
  { weight: 4, arbitrary: fc.constant('mine') },
  { weight: 2, arbitrary: fc.constant('none') },
  { weight: 1, arbitrary: fc.string({ maxLength: 40 }) },
);

test("S-09 S-10 ERR-4 a random request causes no fault and shows no other session's data", async () => {
  const { v1, token } = await aWorld();
  const counts = new Map<number, number>();
  const headersOf = (credential: string, origin: string): Record<string, string> => ({
    Origin: origin,
    ...(credential !== 'none' && { Authorization: `Bearer ${credential === 'mine' ? token : credential}` }),
  });

  await fc.assert(
    fc.asyncProperty(
      methods,
      paths,
      queries,
      credentials,
      origins,
      async (method, path, query, credential, origin) => {
        const answer = await v1.ask(`${path}?${query}`, { method, headers: headersOf(credential, origin) });

        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        expect([200, 201, 204, 400, 401, 403, 404, 405, 409, 415, 422]).toContain(answer.status);
        const records = answer.status === 200 ? [answer.body?.data ?? answer.body ?? []].flat() : [];
        expect(JSON.stringify(records)).not.toContain('hidden');
        expect(records.flatMap(unknownNames)).toEqual([]);
        if (credential !== 'mine') expect(JSON.stringify(records)).not.toContain('seen');
        if (answer.status === 401) expect(answer.token).toBeUndefined();
        if (answer.status >= 400 && credential !== 'mine') expect(answer.token).toBeUndefined();
      },
    ),
    propertyRun('V1 requests through the whole function', 1_200, 20_000),
  );

  process.stdout.write(`answers by status: ${JSON.stringify([...counts].sort())}\n`);
  for (const status of [200, 401, 403, 404, 405, 422]) expect(counts.get(status) ?? 0).toBeGreaterThan(0);
}, 600_000);
