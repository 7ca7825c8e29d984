import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type Outcome, refuse, succeed } from '../shared/domain/outcome.ts';
import type { Pass } from '../shared/events/rows.ts';
import { putPass } from '../shared/events/table.ts';
import { conditionHeld } from '../shared/store/dynamodb/failure.ts';
import { withRetries } from '../shared/store/dynamodb/retry.ts';
import type { TableAccess } from '../shared/store/dynamodb/table-access.ts';
import type { IdempotencyRecord } from '../shared/store/requests/request-store.ts';
import { putRecord } from '../shared/store/requests/requests.ts';

/** Puts a pass and the record of its `Idempotency-Key` in one atomic write, so that no crash separates them (WR-1). */
export type PutPass = (
  pass: Pass,
  record: IdempotencyRecord | undefined,
) => Promise<Outcome<undefined, 'key-used'>>;

export const createPutPass =
  (access: TableAccess<'debounceTable' | 'requestsTable'>): PutPass =>
  async (pass, record) => {
    const { documents, debounceTable, requestsTable, retryDelays } = access;
    const command = new TransactWriteCommand({
      TransactItems: [
        { Put: putPass(debounceTable, pass) },
        ...(record ? [{ Put: putRecord(requestsTable, record, randomUUID()) }] : []),
      ],
      // DynamoDB recognises a write that is repeated after a lost answer.
      ClientRequestToken: randomUUID(),
    });
    const isWritten = await conditionHeld(withRetries(() => documents.send(command), retryDelays));
    return isWritten ? succeed(undefined) : refuse('key-used');
  };
