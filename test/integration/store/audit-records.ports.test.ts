import { describe, expect, test } from '@jest/globals';
import { auditPage } from '../../../bin/operator/audit/page.ts';
import { type AuditRecords, createAuditRecords } from '../../../bin/operator/store/audit-records.ts';
import { type AuditRecord, createAuditStore } from '../../../functions/shared/store/partners/audit-log.ts';
import { newTables } from '../../support/engine/new-tables.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryAuditRecords } from '../../support/memory/audit-records.ts';

const engine = useEngine();

const isDone = ({ command }: AuditRecord) => command !== 'died';

const realRecords = async (records: readonly AuditRecord[]): Promise<AuditRecords> => {
  const access = await newTables(engine, ['Partners', 'Audit']);
  for (const record of records) {
    const noteDone = await createAuditStore(access).append(record);
    if (isDone(record)) await noteDone();
  }
  return createAuditRecords(access);
};

const at = (time: string, command: string): AuditRecord => ({
  who: 'ada',
  command,
  arguments: {},
  atMs: Date.parse(time),
});
const commandsIn = ({ records }: { records: readonly AuditRecord[] }) =>
  records.map(({ command }) => command);

const everything = { since: '2026-01-01T00:00:00.000Z', below: '2026-12-01T00:00:00.000Z' };

describe.each([
  [
    'stand-in in memory',
    async (records: readonly AuditRecord[]) => createMemoryAuditRecords(records, isDone),
  ],
  ['DynamoDB engine', realRecords],
])('%s', (_name, recordsOf) => {
  test('RUN-7 records of several months come newest first, page by page, each once', async () => {
    const auditRecords = await recordsOf([
      at('2026-08-31T23:59:59.999Z', 'one'),
      at('2026-09-01T00:00:00.000Z', 'two'),
      at('2026-11-01T00:00:00.000Z', 'three'),
      at('2026-11-01T00:00:00.001Z', 'four'),
      at('2026-11-30T23:59:59.999Z', 'five'),
    ]);
    const read = (below: string) => auditPage({ ...everything, filter: {}, below, limit: 2 }, auditRecords);

    const first = await read(everything.below);
    const second = await read(String(first.next));
    const third = await read(String(second.next));

    expect([first, second, third].map(commandsIn)).toEqual([['five', 'four'], ['three', 'two'], ['one']]);
    expect(third.next).toBeUndefined();
  });

  test('RUN-7 a time span includes its first moment, and not its last', async () => {
    const auditRecords = await recordsOf([
      at('2026-10-01T11:59:59.999Z', 'before'),
      at('2026-10-01T12:00:00.000Z', 'first'),
      at('2026-11-01T11:59:59.999Z', 'last'),
      at('2026-11-01T12:00:00.000Z', 'after'),
    ]);
    const span = { since: '2026-10-01T12:00:00.000Z', below: '2026-11-01T12:00:00.000Z' };

    const page = await auditPage({ ...span, filter: {}, limit: 50 }, auditRecords);

    expect(commandsIn(page)).toEqual(['last', 'first']);
    expect(page.next).toBeUndefined();
  });

  test('RUN-7 a read has at most its limit, says where the next begins, and of each command whether it ended', async () => {
    const auditRecords = await recordsOf([
      at('2026-11-01T00:00:01.000Z', 'died'),
      at('2026-11-01T00:00:02.000Z', 'ended'),
      at('2026-11-01T00:00:03.000Z', 'died'),
    ]);

    const first = await auditRecords.readBelow({ ...everything, limit: 2 });
    const rest = await auditRecords.readBelow({ ...everything, below: String(first.next), limit: 2 });

    expect([first, rest].map(({ records }) => records)).toMatchObject([
      [
        { command: 'died', isDone: false },
        { command: 'ended', isDone: true },
      ],
      [{ command: 'died', isDone: false }],
    ]);
  });
});
