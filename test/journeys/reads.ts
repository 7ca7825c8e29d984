import assert from 'node:assert/strict';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { aWholeDelivery, aWholePayment } from '../support/builders/whole-elements.ts';
import { at, json, text } from './answers.ts';
import { programOf, transactions, uuidsIn } from './clients.ts';
import { barelyFilledUuid, grantedCount, grantedUuids, otherUuid } from './imported-transactions.ts';
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
      title: 'LINK-3 bytes that are no UTF-8 come back as addresses that ask the same',
      check: async (world) => {
        const { ask } = programOf(world);
        const first = await ask(`${transactions}?x=%FF%FE&y=%C3%A9%FF`);
        const again = await ask(text(at(json(first), '_links', 'self', 'href')));

        assert.equal(first.status, 200, first.text);
        assert.ok(!first.text.includes('%25'), first.text);
        assert.equal(again.text, first.text);
      },
    },
    {
      title: 'LINK-2 every address of a page works when it is followed',
      check: async (world) => {
        const { ask } = programOf(world);
        const answer = await ask(`${transactions}?page=2&per-page=4&filter[status]=0&expand=vehicle`);
        const links = Object.entries(Object(at(json(answer), '_links')));
        const hrefs = links.map(([, link]) => text(at(link, 'href')));
        const pages = [];
        for (const href of hrefs) pages.push(at(json(await ask(href)), '_meta', 'currentPage'));

        assert.deepEqual(
          links.map(([name]) => name),
          ['self', 'first', 'last', 'prev', 'next'],
        );
        for (const href of hrefs) assert.ok(href.startsWith(`${world.baseUrl}/v2/transaction?`), href);
        assert.deepEqual(pages, [2, 1, 5, 1, 3]);
      },
    },
    {
      title: 'PAGE-3 a page past the end is empty and says the true total',
      check: async (world) => {
        const answer = await programOf(world).ask(`${transactions}?page=4`);

        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(at(json(answer), 'data'), []);
        assert.deepEqual(at(json(answer), '_meta'), meta(4, 10));
        assert.equal(at(json(answer), '_links', 'next'), undefined);
        assert.match(text(at(json(answer), '_links', 'prev', 'href')), /page=3/);
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
      title: "S-02 FLT-3 another group's transaction is found no more than one that does not exist",
      check: async (world) => {
        const { ask } = programOf(world);
        const found = (filter: string) => ask(`${transactions}?filter${filter}`);

        for (const [filter, foreign, unknown] of [
          ['[identifiers][ndstockid]=', 'STOCK-24', 'STOCK-99'],
          ['[uuid]=', otherUuid, unknownUuid],
        ] as const) {
          const hidden = await found(`${filter}${foreign}`);
          const absent = await found(`${filter}${unknown}`);

          assert.deepEqual(at(json(hidden), 'data'), []);
          assert.equal(at(json(hidden), '_meta', 'totalCount'), 0);
          assert.equal(at(json(hidden), '_meta', 'pageCount'), 0);
          assert.equal(hidden.text.replaceAll(foreign, unknown), absent.text);
        }
      },
    },
    {
      title: 'EXP-1 FLD-1 FLD-3 FLD-4 SHOW-1 expand and fields shape the records; a path expands by itself',
      check: async (world) => {
        const { ask } = programOf(world);
        const fields = 'uuid,status,payments.value,payments.token,customer.lastName,nope';
        const narrowed = await ask(`${transactions}?filter[status]=1&per-page=1&fields=${fields}`);
        const expanded = await ask(`${transactions}?filter[status]=1&per-page=1&expand=payments`);

        assert.deepEqual(at(json(narrowed), 'data', 0), {
          uuid: grantedUuids[3],
          status: 1,
          customer: { lastName: 'Müller' },
          payments: [{ token: null, value: '99.00' }],
        });
        assert.equal(at(json(expanded), 'data', 0, 'payments', 0, 'reference'), 'No reference');
        assert.equal(at(json(expanded), 'data', 0, 'payments', 0, 'token'), null);
        assert.equal(at(json(expanded), 'data', 0, 'customer'), undefined);
      },
    },
    {
      title:
        'SHAPE-1 an imported payment of four members shows its whole record, a delivery of one all fifteen',
      check: async (world) => {
        const answer = await programOf(world).ask(
          `${transactions}/${barelyFilledUuid}?expand=payments,deliveryCollection`,
        );

        assert.equal(answer.status, 200, answer.text);
        const { hash, transaction_id, created_at, ...said } = at(json(answer), 'payments', 0) as JsonObject;
        assert.match(String(hash), /^[0-9a-f]{40}$/);
        assert.ok(Number(transaction_id) > 0 && Number(created_at) > 0);
        const given = { created_by: 'v2/transaction/import', updated_by: 'v2/transaction/import' };
        const usual = { reference: 'No reference given', product_identifier: 'PAY', updated_at: created_at };
        assert.deepEqual(
          { hash: null, transaction_id: null, created_at: null, ...said },
          aWholePayment({ id: 8, type: 1, value: '99.00', status: 1, ...given, ...usual } as JsonObject),
        );
        assert.deepEqual(at(json(answer), 'deliveryCollection'), aWholeDelivery({ type: 2 }));
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
    {
      title: 'V2-6 a partner reads what it is and what it is granted',
      check: async (world) => {
        const answer = await programOf(world).ask('/api/v2/partner');

        assert.equal(answer.status, 200, answer.text);
        assert.equal(at(json(answer), 'name'), 'Harbour systems');
        assert.deepEqual(at(json(answer), 'oauthScopes'), ['nop2/read', 'nop2/write']);
        assert.deepEqual(at(json(answer), 'grants'), [
          { group: 'harbour', branches: ['Branch quay-0', 'Branch quay-1'], branchCount: 2 },
        ]);
        assert.equal(at(json(answer), 'webhook', 'state'), 'off');
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
