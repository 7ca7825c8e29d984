import { beforeEach, describe, expect, test } from '@jest/globals';
import { type LogLine, notesOf } from '../../../../../functions/shared/events/rows.ts';
import { owe } from '../../../../../functions/shared/events/table.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';
import { uuidOf } from '../../../../support/builders/transactions.ts';
import { createMemoryPartners } from '../../../../support/memory/partners.ts';
import { begin, json, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

/** The tool's clock shows noon. */
const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const acme = aPartner({ clientId: 'A'.repeat(26), name: 'acme', webhookUrl: 'https://acme.example/' });
const bert = aPartner({ clientId: 'B'.repeat(26), name: 'bert', webhookUrl: 'https://bert.example/' });
const gone = 'C'.repeat(26);

const line = (to: number, time: string, more: Partial<LogLine> = {}): LogLine => ({
  ...{ clientId: acme.clientId, uuid: uuidOf(1), atMs: at(time), eventId: `e${to}` },
  ...{ type: 'TransactionUpdated', from: to - 1, to, outcome: 'SENT', ...more },
});
let made = 0;
/** What was sent at once. */
const put = (...lines: LogLine[]) => {
  made += 1;
  return stage.debounce.write(notesOf(lines, () => `${made}`));
};

beforeEach(async () => {
  begin({ partners: createMemoryPartners([acme, bert].map((partner) => ({ partner, secrets: [] }))) });
  const withheld = { outcome: 'WITHHELD', reason: 'MAY_NOT', from: 0 } as const;
  await put(
    line(1, '11:52:00'),
    line(1, '11:52:00', { clientId: bert.clientId, ...withheld }),
    line(1, '11:52:00', { clientId: gone }),
  );
  await put(line(2, '11:55:00', { type: 'TransactionCompleted' }));
  await put(line(2, '11:57:00', { outcome: 'FAILED', reason: 'HTTP_404' }));
  await put(line(1, '11:42:00', { uuid: uuidOf(2), clientId: gone }));
  const debt = { reason: 'HTTP_404', tries: 1, dueAtMs: at('12:10:00') };
  await owe(stage.debounce, { uuid: uuidOf(1), clientId: acme.clientId, from: 1, ...debt });
  const held = { uuid: uuidOf(2), clientId: bert.clientId, reason: 'PAUSED', tries: 1 };
  await owe(stage.debounce, { ...held, from: 4 });
  await owe(stage.debounce, { ...held, completed: 5 });
});

type View = { [name: string]: string };
const listed = async (options = '') =>
  (await json(`events list ${options}`.trim())).map(
    ({ partner, type, uuid, from, to, state, reason }: View) =>
      `${partner} ${type?.replace('Transaction', '')} ${uuid === uuidOf(1) ? 1 : 2}.${from}-${to ?? ''} ${[state, reason].filter(Boolean).join(' ')}`,
  );

describe('RUN-4 events list', () => {
  const all = [
    'acme Updated 1.1-2 failed HTTP_404',
    'acme Completed 1.1-2 sent',
    'acme Updated 1.0-1 sent',
    'bert Updated 1.0-1 withheld MAY_NOT',
  ];
  const [failed, completed, sent, withheld] = all;
  const ofGone = [`${gone} Updated 1.0-1 sent`, `${gone} Updated 2.0-1 sent`];
  const waiting = [
    'acme Updated 1.1- waiting HTTP_404',
    'bert Updated 2.4- waiting PAUSED',
    'bert Completed 2.4-5 waiting PAUSED',
  ];
  test.each([
    ['', all],
    ['--partner bert', [withheld]],
    [`--partner ${gone}`, ofGone],
    [`--transaction ${uuidOf(1)}`, [...all, ofGone[0]]],
    [`--transaction ${uuidOf(1)} --partner acme`, [failed, completed, sent]],
    ['--state FAILED', [failed]],
    ['--type transactioncompleted', [completed]],
    ['--since 6m', [failed, completed]],
    ['--until 2026-11-21T11:53:00Z --partner acme', [sent]],
    ['--limit 1', [failed]],
    ['--state waiting', waiting],
    ['--state waiting --partner bert --type TransactionUpdated', [waiting[1]]],
    [`--state waiting --transaction ${uuidOf(1)}`, [waiting[0]]],
  ])('%s lists the newest first', async (options, expected) => {
    expect(await listed(options)).toEqual(expected);
  });

  test('shows when, why, and when it is tried again', async () => {
    const { printed } = await run('events list --limit 1');
    const { printed: due } = await run('events list --state waiting --partner acme');

    expect(printed).toContain('2026-11-21 11:57:00');
    expect(printed).toContain('The endpoint answered 404.');
    expect(printed).toContain('There are more: narrow the list, or raise --limit.\n');
    expect(due).toContain('2026-11-21 12:10:00');
    expect(due).toContain('the versions after 1');
  });

  test.each([
    ['--state dead', '--state is one of sent, failed, waiting, withheld.\n'],
    ['--type Deleted', '--type is TransactionUpdated or TransactionCompleted.\n'],
    [
      '--partner nobody',
      'There is no partner "nobody": "partner list" shows all, and a deleted partner is named by its client ID.\n',
    ],
  ])('%s is refused', async (options, noted) => {
    expect(await run(`events list ${options}`)).toMatchObject({ exitCode: 1, noted });
  });

  test('nothing found is said', async () => {
    expect((await run(`events list --transaction ${uuidOf(9)}`)).printed).toBe('There is no such event.\n');
  });
});

describe('RUN-4 events resend', () => {
  const pass = { clientId: acme.clientId, dueAtMs: at('12:00:00'), untilMs: at('12:00:00') };
  test.each([
    ['acme', { does: 'wake' }, {}],
    [`acme ${uuidOf(1)}`, { does: 'replay', transaction: uuidOf(1) }, { uuid: uuidOf(1) }],
    [
      `${acme.clientId} --since 1h`,
      { does: 'replay', sinceMs: at('11:00:00') },
      { since: '2026-11-21T11:00:00.000Z' },
    ],
  ])('%s puts a pass, after its audit record', async (options, asked, facts) => {
    const shown = { name: 'acme', clientId: acme.clientId, ...facts };

    expect(await json(`events resend ${options}`)).toEqual(shown);

    expect(stage.debounce.passes()).toEqual([expect.objectContaining({ ...pass, ...asked })]);
    expect(stage.records).toMatchObject([{ command: 'events resend', arguments: shown }]);
  });

  test('to nobody is refused, without a record', async () => {
    expect((await run('events resend nobody')).noted).toBe(
      'There is no partner "nobody": "partner list" shows all.\n',
    );
    expect(stage.records).toEqual([]);
  });
});
