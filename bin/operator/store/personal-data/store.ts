import type { RandomBytes } from '../../../../functions/shared/runtime/random-text.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import { sessionIn } from '../../../../functions/shared/store/sessions/session-record.ts';
import { fromItem } from '../../../../functions/shared/store/transactions/item.ts';
import { answerCopies, eraseAnswerCopy } from './copies.ts';
import { createErasureList } from './erasure-list.ts';
import type { MovedSession, OnScan, PersonalDataStore } from './personal-data-store.ts';
import { scanInSegments } from './scan.ts';

type PersonalDataAccess = TableAccess<'transactionsTable' | 'requestsTable' | 'auditTable'> & {
  random: RandomBytes;
};

/** Customers' data in DynamoDB. */
export const createPersonalDataStore = (access: PersonalDataAccess): PersonalDataStore => ({
  transactions: (onScan) => transactionsIn(access, onScan),
  movedSessions: (onScan) => movedSessionsIn(access, onScan),
  copies: (onScan) => answerCopies(access, onScan),
  eraseCopy: (copy) => eraseAnswerCopy(access, copy),
  erasures: createErasureList(access),
});

async function* transactionsIn(access: PersonalDataAccess, onScan: OnScan) {
  for await (const items of scanInSegments(access, access.transactionsTable, onScan))
    yield* items.map(fromItem);
}

async function* movedSessionsIn(access: PersonalDataAccess, onScan: OnScan): AsyncGenerator<MovedSession> {
  for await (const items of scanInSegments(access, access.requestsTable, onScan))
    for (const { pk, movedTo } of items)
      if (typeof movedTo === 'string') yield { session: sessionIn({ pk: String(pk) }), movedTo };
}
