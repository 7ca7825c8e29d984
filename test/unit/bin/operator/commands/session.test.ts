import { beforeEach, expect, test } from '@jest/globals';
import { aNewTransaction, uuidOf } from '../../../../support/builders/transactions.ts';
import { createMemorySessions } from '../../../../support/memory/sessions.ts';
import { begin, run, stage, useTool } from '../../../../support/operator/tool.ts';

useTool();

const sessions = createMemorySessions();

beforeEach(async () => {
  begin({ sessions });
  sessions.ends.clear();
  await stage.deps.transactions.create(aNewTransaction({ uuid: uuidOf(1) }, { session: 'session-1' }));
  await stage.deps.transactions.createMany([aNewTransaction({ uuid: uuidOf(2) })]);
});

test('V1-9 a session is revoked by one of its transactions, until 5 s from now, for clocks may differ', async () => {
  const done = await run(`session revoke ${uuidOf(1)} --json`);

  expect(done.exitCode).toBe(0);
  expect(JSON.parse(done.printed)).toEqual({ uuid: uuidOf(1), revoked: true });
  expect([...sessions.ends]).toEqual([['session-1', { endedAtMs: stage.deps.now().getTime() + 5_000 }]]);
  // A restore may take the transaction back, and not the end of its session (DR-7).
  expect(stage.records).toMatchObject([
    { command: 'session revoke', arguments: { uuid: uuidOf(1), session: 'session-1' } },
  ]);
});

test.each([
  ['an unknown transaction', uuidOf(9), `There is no transaction ${uuidOf(9)}.`],
  [
    'one that was imported',
    uuidOf(2),
    `The transaction ${uuidOf(2)} belongs to no session: it was imported or erased.`,
  ],
])('V1-9 %s revokes no session', async (_, uuid, sentence) => {
  const refused = await run(`session revoke ${uuid}`);

  expect([refused.exitCode, refused.noted]).toEqual([1, `${sentence}\n`]);
  expect([sessions.ends.size, stage.records]).toEqual([0, []]);
});
