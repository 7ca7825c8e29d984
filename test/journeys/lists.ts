import assert from 'node:assert/strict';
import { at, json, text } from './answers.ts';
import { type Program, programOf, transactions, uuidsIn } from './clients.ts';
import type { Answer, Journey } from './world.ts';

/** The list, and its first transaction if it has any. */
const targetsOf = async ({ ask }: Program) => [
  transactions,
  ...uuidsIn(await ask(`${transactions}?per-page=1`)).map((uuid) => `${transactions}/${uuid}`),
];

/** Facts about any list of a partner. */
export const listJourney: Journey = {
  name: 'a partner asks for a list',
  steps: [
    {
      title: 'LIST-1 LINK-2 a page of the list comes, and its links lead to it',
      check: async (world) => {
        const { ask } = programOf(world);
        const page = await ask(`${transactions}?per-page=2`);
        const self = text(at(json(page), '_links', 'self', 'href'));

        assert.equal(page.status, 200, page.text);
        assert.deepEqual(Object.keys(Object(json(page))), ['_expand', 'data', '_links', '_meta']);
        assert.ok(self.startsWith(`${world.baseUrl}/v2/transaction?`), self);
        assert.equal((await ask(self)).text, page.text);
      },
      mend: 'BASE_URL of v2-read has to be the address that callers use: deploy the service stack again',
    },
    {
      title: 'VERB-1 the list answers under every alias alike',
      check: async (world) => {
        const { ask } = programOf(world);
        const answers: Answer[] = [];
        for (const path of [transactions, `${transactions}/`, '/v2/transaction', '/v2/transaction/'])
          answers.push(await ask(`${path}?per-page=2`));

        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 200],
        );
        assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
      },
    },
    {
      title: 'VERB-1 HEAD has the status and headers of GET and no body',
      check: async (world) => {
        const program = programOf(world);
        for (const target of await targetsOf(program)) {
          const get = await program.ask(target);
          const head = await program.ask(target, { method: 'HEAD' });

          assert.deepEqual([head.status, head.text], [get.status, '']);
          assert.equal(get.status, 200);
          for (const name of ['ETag', 'Link', 'X-Pagination-Total-Count'])
            assert.equal(head.headers.get(name), get.headers.get(name));
        }
      },
      mend: 'the route has to be of ANY method (lib/constructs/api/rest-api.ts)',
    },
    {
      title: 'R-41 COND-1 an unchanged answer is 304, and no other caller is given it',
      check: async (world) => {
        const program = programOf(world);
        for (const target of [...(await targetsOf(program)), `${transactions}?filter[status]=1`]) {
          const first = await program.ask(target);
          const tag = first.headers.get('ETag') ?? '';
          const again = await program.ask(target, { headers: { 'If-None-Match': tag } });
          const listed = await program.ask(target, { headers: { 'If-None-Match': `"other", ${tag}` } });
          const changed = await program.ask(target, { headers: { 'If-None-Match': '"other"' } });

          assert.match(tag, /^(W\/)?".+"$/);
          for (const { status, text: body, headers } of [again, listed])
            assert.deepEqual([status, body, headers.get('ETag')], [304, '', tag]);
          assert.equal(changed.status, 200);
          assert.equal(first.headers.get('Cache-Control'), 'private, no-cache');
          assert.match(first.headers.get('Vary') ?? '', /Authorization/);
        }
      },
      mend: 'see whether something between caller and gateway changes headers: functions/shared/http/list-response.ts sets them',
    },
  ],
};
