import assert from 'node:assert/strict';
import { at, json, text } from './answers.ts';
import { programOf, transactions, uuidsIn } from './clients.ts';
import { grantedCount, grantedUuids, otherUuid } from './imported-transactions.ts';
import type { Answer, Journey } from './world.ts';

const [firstUuid = ''] = grantedUuids;
const unknownUuid = '0b1e5a70-5c1d-4f6e-9a3b-999999999999-dply';
const numbered = (...numbers: number[]) => numbers.map((number) => grantedUuids[number - 1]);

const elements = [
  ...['vehicle', 'ndMeta', 'extras', 'deliveryCollection', 'selectedPaymentMethod', 'financeProposal'],
  ...['valuation', 'customer', 'payments', 'financeDefaults'],
];

/** A partner's first reads, each compared with the file that the operator imported. */
export const readJourney: Journey = {
  name: 'a partner reads',
  steps: [
    {
      title: 'LIST-1 PAGE-2 PAGE-4 the first page is ten of exactly 23, in creation order',
      check: async (world) => {
        const answer = await programOf(world).ask(transactions);

        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(Object.keys(Object(json(answer))), ['_expand', 'data', '_links', '_meta']);
        assert.equal(at(json(answer), '_expand'), elements.join(','));
        assert.deepEqual(uuidsIn(answer), grantedUuids.slice(0, 10));
        assert.deepEqual(at(json(answer), '_meta'), meta(1, 10));
        assert.equal(answer.headers.get('Content-Type'), 'application/json; charset=UTF-8');
        assert.equal(answer.headers.get('X-Pagination-Total-Count'), '23');
        assert.match(answer.headers.get('Link') ?? '', /; rel=next/);
      },
    },
    {
      title: 'LINK-1 LINK-5 LIST-2 GRANT-1 next leads through all 23 in order, and no other',
      check: async (world) => {
        const { ask } = programOf(world);
        const pages: string[][] = [];
        let href: unknown = `${transactions}?per-page=9`;
        while (href !== undefined && pages.length < 5) {
          const answer = await ask(text(href));
          pages.push(uuidsIn(answer));
          href = at(json(answer), '_links', 'next', 'href');
        }

        assert.deepEqual(
          pages.map((page) => page.length),
          [9, 9, 5],
        );
        assert.deepEqual(pages.flat(), grantedUuids);
      },
    },
    {
      title: 'FLT-1 PAGE-4 filters find by status, by vehicle and by uuid, and totals count what they find',
      check: async (world) => {
        const { uuids, total } = programOf(world);

        assert.deepEqual(await uuids('filter[status]=1'), numbered(4, 8, 12, 16, 20));
        assert.deepEqual([await total('filter[status]=1'), await total('filter[status]=0')], [5, 18]);
        assert.deepEqual(await uuids('filter%5Bidentifiers%5D%5Bndstockid%5D=STOCK-1'), [firstUuid]);
        assert.deepEqual(
          await uuids('filter[identifiers][salesmasterid]=SALES-1'),
          numbered(1, 7, 13, 19),
          'number 25 belongs to another group',
        );
        assert.deepEqual(await uuids(`filter[uuid]=${firstUuid}`), [firstUuid]);
        assert.deepEqual(await uuids(`filter[uuid]=${firstUuid}&filter[status]=1`), []);
      },
    },
    {
      title: 'V2-1 VERB-1 a single transaction by its uuid, also under the alias and with a slash',
      check: async (world) => {
        const { ask } = programOf(world);
        const identifiers = { ndstockid: 'STOCK-1', salesmasterid: 'SALES-1' };
        const expected = { uuid: firstUuid, vehicle: { title: 'Vehicle 1', identifiers } };

        for (const path of [`${transactions}/${firstUuid}`, `/v2/transaction/${firstUuid}`]) {
          for (const slash of ['', '/']) {
            const answer = await ask(`${path}${slash}?expand=vehicle&fields=uuid,vehicle`);
            assert.equal(answer.status, 200, answer.text);
            assert.deepEqual(json(answer), expected);
          }
        }
        const narrow = await ask(`${transactions}/${firstUuid}?fields=uuid,vehicle.identifiers.ndstockid`);
        assert.deepEqual(json(narrow), {
          uuid: firstUuid,
          vehicle: { identifiers: { ndstockid: 'STOCK-1' } },
        });
      },
    },
    {
      title: "V2-1 GRANT-3 another group's transaction is answered as an unknown one",
      check: async (world) => {
        const { ask } = programOf(world);
        const foreign = await ask(`${transactions}/${otherUuid}`);
        const unknown = await ask(`${transactions}/${unknownUuid}`);

        const facts = (answer: Answer) => ({ ...Object(json(answer)), instance: '', requestId: '' });
        assert.deepEqual([foreign.status, unknown.status], [404, 404]);
        assert.deepEqual(facts(foreign), facts(unknown));
      },
    },
  ],
};

const meta = (currentPage: number, perPage: number) => ({
  totalCount: grantedCount,
  pageCount: Math.ceil(grantedCount / perPage),
  currentPage,
  perPage,
});
