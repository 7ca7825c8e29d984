import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { rowIn } from '../../../../functions/shared/events/table.ts';
import { consistentGet } from '../../../../functions/shared/store/dynamodb/consistent-get.ts';
import { conditionHeld } from '../../../../functions/shared/store/dynamodb/failure.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import { sequenceKey, sequencePartition } from '../../../../functions/shared/store/listing/keys.ts';
import { raiseSequence } from '../../../../functions/shared/store/listing/raise-sequence.ts';
import { recordLifetimeMs } from '../../../../functions/shared/store/requests/request-store.ts';
import { fromItem } from '../../../../functions/shared/store/transactions/item.ts';
import { putMark } from '../../../../functions/shared/store/transactions/marks.ts';
import { scanTable } from '../scan.ts';
import type { AdoptionNote, RecoveryStore } from './recovery-store.ts';

type RecoveryAccess = TableAccess<
  'transactionsTable' | 'listingTable' | 'debounceTable' | 'requestsTable' | 'auditTable'
>;

const noteKey = { pk: 'RESTORE', sk: 'UNDER_WAY' };

/** The reads and writes of an adoption. Its note is in the Audit table, which is never restored. */
export const createRecoveryStore = (access: RecoveryAccess): RecoveryStore => ({
  transactions: () => transactionsIn(access),
  debounceItems: () => debounceItemsIn(access),
  sequences: async () => ({
    ids: await sequenceAt(access, 'ids'),
    sequenceNumbers: await sequenceAt(access, sequenceKey.sk),
  }),
  sequenceNumbersAtLeast: async (sequenceNumber) => {
    await raiseSequence(access, sequenceKey, sequenceNumber);
  },
  retentionAgain: async (fromMs) => {
    await putMark(access, 'retention-delete', { n: fromMs });
    await putMark(access, 'retention-erase', { n: fromMs });
  },
  recordsMadeAfter: (atMs) => recordsMadeAfter(access, atMs),
  forgetRecord: async (pk) => {
    await access.documents.send(new DeleteCommand({ TableName: access.requestsTable, Key: { pk, sk: '0' } }));
  },
  begin: (note) => begin(access, note),
  underWay: () => readNote(access),
  end: async () => {
    await access.documents.send(new DeleteCommand({ TableName: access.auditTable, Key: noteKey }));
  },
});

async function* transactionsIn(access: RecoveryAccess) {
  for await (const items of scanTable(access, access.transactionsTable)) yield* items.map(fromItem);
}

async function* debounceItemsIn(access: RecoveryAccess) {
  for await (const items of scanTable(access, access.debounceTable))
    for (const item of items) {
      const row = rowIn(item);
      if (row) yield row;
    }
}

const sequenceAt = async ({ documents, listingTable }: RecoveryAccess, sk: string) => {
  const { Item } = await documents.send(consistentGet(listingTable, { pk: sequencePartition, sk }));
  return Number(Item?.n ?? 0);
};

async function* recordsMadeAfter(access: RecoveryAccess, atMs: number): AsyncGenerator<string> {
  const wanted = {
    ProjectionExpression: '#pk',
    FilterExpression: 'begins_with(#pk, :record) AND #expires > :expires',
    ExpressionAttributeNames: { '#pk': 'pk', '#expires': 'expiresAtMs' },
    ExpressionAttributeValues: { ':record': 'IDEM#', ':expires': atMs + recordLifetimeMs },
  };
  for await (const items of scanTable(access, access.requestsTable, wanted))
    yield* items.map(({ pk }) => String(pk));
}

const readNote = async ({ documents, auditTable }: RecoveryAccess): Promise<AdoptionNote | undefined> => {
  const { Item } = await documents.send(consistentGet(auditTable, noteKey));
  if (!Item) return undefined;
  const { pk: _, sk: __, ...note } = Item;
  return note as AdoptionNote;
};

const begin = async (access: RecoveryAccess, note: AdoptionNote): Promise<AdoptionNote> => {
  const request = new PutCommand({
    TableName: access.auditTable,
    Item: { ...noteKey, ...note },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return (await conditionHeld(access.documents.send(request))) ? note : ((await readNote(access)) ?? note);
};
