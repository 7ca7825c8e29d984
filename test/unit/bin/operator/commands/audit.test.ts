import { expect, test } from '@jest/globals';
import type { AuditRecord } from '../../../../../functions/shared/store/partners/audit-log.ts';
import { createMemoryAuditRecords } from '../../../../support/memory/audit-records.ts';
import { begin, createPartner, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

/** The tool's clock stands at 2026-11-21 12:00. */
const done = (minutesAgo: number, who: string, command: string, given: object = {}): AuditRecord => ({
  ...{ who, command, arguments: { ...given } },
  atMs: Date.parse('2026-11-21T12:00:00Z') - minutesAgo * 60_000,
});

const given = (...records: AuditRecord[]) => begin({ auditRecords: createMemoryAuditRecords(records) });

const commands = async (...options: string[]): Promise<string[]> =>
  (await json(['audit', 'list', ...options])).records.map(({ command }: AuditRecord) => command);

test('RUN-7 S-28 audit list shows who did what, when and with what, the newest first; --as stands beside whose credentials they were', async () => {
  await run('partner create --name acme --grant group=G --as ada');
  await run('partner disable acme');

  const { printed } = await run('audit list');

  expect(printed.split('\n').filter((line) => line.includes('2026-11-21 12:00:00'))).toEqual([
    expect.stringMatching(/│ tester +│ partner disable +│ name acme/),
    expect.stringMatching(/│ ada +│ partner create +│ name acme/),
  ]);
  const shown = {
    at: '2026-11-21T12:00:00.000Z',
    caller: 'arn:aws:sts::111122223333:assumed-role/Operator/ada@example.org',
    done: true,
  };
  const clientId = expect.stringMatching(/^\w{26}$/);
  expect(await json('audit list --limit 2')).toEqual({
    records: [
      { ...shown, who: 'tester', command: 'partner disable', arguments: { name: 'acme', clientId } },
      {
        ...shown,
        who: 'ada',
        command: 'partner create',
        arguments: expect.objectContaining({ name: 'acme', grants: [{ group: 'G' }] }),
      },
    ],
    next: null,
  });
});

test('RUN-7 a command that did not end is marked', async () => {
  const records = [done(2, 'ada', 'partner disable'), done(1, 'ada', 'keys rotate')];
  begin({ auditRecords: createMemoryAuditRecords(records, ({ command }) => command === 'keys rotate') });

  const listed = await json('audit list');
  const { printed } = await run('audit list');

  expect(listed.records.map((one: { command: string; done: boolean }) => [one.command, one.done])).toEqual([
    ['keys rotate', true],
    ['partner disable', false],
  ]);
  expect(printed.match(/UNFINISHED/g)).toHaveLength(1);
});

test('RUN-7 the table of audit list has the name first, a line for each part of a list, and fits a terminal', async () => {
  given({
    ...done(30, 'ada', 'partner create'),
    arguments: {
      webhookUrl: `https://partner.example/${'a'.repeat(90)}`,
      grants: [{ group: 'north' }, { location: '48c81f360007f4f6fc58', group: 'south' }],
      showsPaymentTokens: false,
      name: 'acme',
    },
  });

  const { printed } = await run('audit list');

  expect(printed.split('\n').map((line) => line.split('│')[4]?.trim())).toEqual(
    expect.arrayContaining([
      'name acme',
      'grants group=north',
      '- group=south, location=48c81f360007…',
      'showsPaymentTokens false',
      `webhookUrl https://partner.example/${'a'.repeat(28)}…`,
    ]),
  );
  expect(Math.max(...printed.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
});

test('RUN-7 audit list itself is not recorded', async () => {
  expect((await run('audit list')).printed).toBe('There is no such record.\n');
  expect(stage.records).toEqual([]);
});

const role = 'arn:aws:sts::111122223333:assumed-role/Operator';
test.each<[Record<string, string>, string[]]>([
  [{ since: '2h' }, ['keys remove', 'keys rotate', 'partner enabled', 'webhooks stop']],
  [{ since: '2h', until: '1h' }, ['webhooks stop']],
  [{ by: 'bob' }, ['webhooks stop']],
  [{ by: 'ada' }, ['keys rotate', 'partner enabled', 'partner enable']],
  [{ by: 'bob@example.org' }, ['partner enabled']],
  [{ by: `${role}/ada@example.org` }, ['keys rotate']],
  [{ command: 'keys' }, ['keys remove', 'keys rotate']],
  [{ command: 'partner enable' }, ['partner enable']],
  [{ by: 'ada', command: 'keys' }, ['keys rotate']],
])('RUN-7 records are filtered by time, person, credentials and command: %j', async (options, expected) => {
  given(
    ...[done(180, 'ada', 'partner enable'), done(90, 'bob', 'webhooks stop')],
    { ...done(30, 'ada', 'partner enabled'), caller: `${role}/bob@example.org` },
    { ...done(20, 'ada', 'keys rotate'), caller: `${role}/ada@example.org` },
    { ...done(10, 'old', 'keys remove'), caller: 'local' },
  );

  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  expect(await commands(...words)).toEqual(expected);
});

test('RUN-7 credentials are shown by the role and the name of its session, or the person where there are none', async () => {
  given(
    done(9, 'old', 'keys remove'),
    { ...done(8, 'ada', 'keys rotate'), caller: `${role}/ada@example.org` },
    { ...done(6, 'ada', 'webhooks start'), caller: 'local' },
  );

  const { printed } = await run('audit list');
  const shown = printed.match(/│ (old|local|assumed-role\S+) +│/g)?.map((cell) => cell.slice(2, -1).trim());
  expect(shown).toEqual(['local', 'assumed-role/Operator/ada@example.org', 'old']);
});

test('RUN-7 commands on a partner are found by its name and its client id, whichever the record has', async () => {
  const { clientId } = await createPartner('acme');
  const records = [
    done(9, 'ada', 'partner create', { name: 'acme' }),
    done(8, 'ada', 'partner disable', { name: 'acme', clientId }),
    done(7, 'ada', 'events resend', { clientId }),
    done(5, 'ada', 'storefront create', { name: 'acme' }),
    done(4, 'ada', 'partner disable', { name: 'gone', clientId: 'another' }),
  ];
  stage.deps.auditRecords = createMemoryAuditRecords(records);
  const all = ['events resend', 'partner disable', 'partner create'];

  expect(await commands('--partner', 'acme')).toEqual(all);
  expect(await commands('--partner', clientId)).toEqual(all);
  expect(await commands('--partner', 'gone')).toEqual(['partner disable']);
});

test('RUN-7 a page says how to continue, and the next one begins there', async () => {
  given(...[3, 2, 1].map((minutes) => done(minutes, 'ada', `keys ${minutes}`)));

  const { printed } = await run('audit list --limit 2');
  const [, next = ''] = /--next '([^']+)'\n$/.exec(printed) ?? [];

  expect(await commands('--limit', '2', '--next', next)).toEqual(['keys 3']);
});

test('RUN-7 a page reads at most 2,000 records, however rare the matches are', async () => {
  const many = Array.from({ length: 2_500 }, (_, index) => done(3_000 - index, 'ada', 'keys rotate'));
  given(done(5_000, 'bob', 'keys remove'), ...many);
  let reads = 0;
  const { readBelow } = stage.deps.auditRecords;
  stage.deps.auditRecords.readBelow = (query) => {
    reads += 1;
    return readBelow(query);
  };

  const first = await json('audit list --by bob');
  const readsOfFirst = reads;
  const second = await json(['audit', 'list', '--by', 'bob', '--next', first.next]);

  expect([first.records, readsOfFirst]).toEqual([[], 20]);
  expect(second.records).toMatchObject([{ command: 'keys remove' }]);
});

test.each([
  ['--next x', '--next must be what the previous page printed, such as 2026-11-22T12:00:00.000Z#….'],
  ['--next 2026-11-22T12:00:00.000Z --until 1h', '--next continues after a page: omit --until.'],
  ['--limit 0', '--limit is "0" and must be a whole number from 1 to 1000.'],
  ['--limit 1e2', '--limit is "1e2" and must be a whole number from 1 to 1000.'],
  ['--since then', '--since is a time such as 2026-11-21T12:00:00Z, or how long ago, such as 30m, 2h or 3d.'],
])('audit list %s is refused in a sentence', async (options, sentence) => {
  expect(await json(`audit list ${options}`)).toEqual({ error: sentence });
});
