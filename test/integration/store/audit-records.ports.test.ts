import { describe, expect, test } from '@jest/globals';
import { auditPage } from '../../../bin/operator/audit/page.ts';
import { type AuditRecords, createAuditRecords } from '../../../bin/operator/store/audit-records.ts';
import { type AuditRecord, createAuditStore } from '../../../functions/shared/store/partners/audit-log.ts';
import { addTables } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { createMemoryAuditRecords } from '../../support/memory/audit-records.ts';

const engine = useEngine();
let sets = 0;

const isDone = ({ command }: AuditRecord) => command !== 'died';

const realRecords = async (records: readonly AuditRecord[]): Promise<AuditRecords> => {
  sets += 1;
  const [partnersTable, auditTable] = [`Partners-records-${sets}`, `Audit-records-${sets}`];
  await addTables(engine.client, `-records-${sets}`, ['Partners', 'Audit']);
  const access = { documents: engine.documents, partnersTable, auditTable };
  for (const record of records) {
    const noteDone = await createAuditStore(access).append(record);
    if (isDone(record)) await noteDone();
  }
  return createAuditRecords(access);
};

const done = (time: string, command: string): AuditRecord => ({
  ...{ who: 'ada', command, arguments: {} },
  atMs: Date.parse(time),
});

const everything = { since: '2026-01-01T00:00:00.000Z', below: '2026-12-01T00:00:00.000Z' };

describe.each([
  ['DynamoDB engine', realRecords],
  ['memory', async (records: readonly AuditRecord[]) => createMemoryAuditRecords(records, isDone)],
])('%s', (_name, recordsOf) => {
  const commandsIn = ({ records }: { records: readonly AuditRecord[] }) =>
    records.map(({ command }) => command);

  test('RUN-7 records of several months come newest first, page by page, each once', async () => {
    const auditRecords = await recordsOf([
      done('2026-08-31T23:59:59.999Z', 'one'),
      done('2026-09-01T00:00:00.000Z', 'two'),
      done('2026-11-01T00:00:00.000Z', 'three'),
      done('2026-11-01T00:00:00.001Z', 'four'),
      done('2026-11-30T23:59:59.999Z', 'five'),
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
      done('2026-10-01T11:59:59.999Z', 'before'),
      done('2026-10-01T12:00:00.000Z', 'first'),
      done('2026-11-01T11:59:59.999Z', 'last'),
      done('2026-11-01T12:00:00.000Z', 'after'),
    ]);
    const span = { since: '2026-10-01T12:00:00.000Z', below: '2026-11-01T12:00:00.000Z' };

    const page = await auditPage({ ...span, filter: {}, limit: 50 }, auditRecords);

    expect(commandsIn(page)).toEqual(['last', 'first']);
    expect(page.next).toBeUndefined();
  });

  test('RUN-7 each record says whether its command ended', async () => {
    const auditRecords = await recordsOf([
      done('2026-11-01T00:00:01.000Z', 'died'),
      done('2026-11-01T00:00:02.000Z', 'ended'),
      done('2026-11-01T00:00:03.000Z', 'died'),
    ]);

    const { records } = await auditRecords.readBelow({ ...everything, limit: 3 });

    expect(records.map(({ command, isDone: ended }) => [command, ended])).toEqual([
      ['died', false],
      ['ended', true],
      ['died', false],
    ]);
  });

  test('RUN-7 a read returns at most its limit, and says where the next one begins', async () => {
    const auditRecords = await recordsOf(
      [1, 2, 3].map((second) => done(`2026-11-01T00:00:0${second}.000Z`, String(second))),
    );

    const first = await auditRecords.readBelow({ ...everything, limit: 2 });
    const rest = await auditRecords.readBelow({ ...everything, below: String(first.next), limit: 2 });

    expect([first, rest].map(commandsIn)).toEqual([['3', '2'], ['1']]);
  });
});
