import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyKind, KeyRing } from '../../domain/keys/key-ring.ts';
import { type Outcome, refuse, succeed } from '../../domain/outcome.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { readRing, ringKey } from './ring-reader.ts';

/** Reads and changes the rings. */
export type RingStore = {
  read: (kind: KeyKind) => Promise<KeyRing | undefined>;
  /** Refused if the stored ring is no longer the one before this one. */
  replace: (kind: KeyKind, ring: KeyRing) => Promise<Outcome<KeyRing, 'changed-meanwhile'>>;
};

/** The rings in the Partners table. */
export const createRingStore = (access: TableAccess<'partnersTable'>): RingStore => ({
  read: (kind) => readRing(access, kind),
  replace: async (kind, ring) => {
    const isReplaced = await conditionHeld(access.documents.send(putOnce(access.partnersTable, kind, ring)));
    return isReplaced ? succeed(ring) : refuse('changed-meanwhile');
  },
});

const putOnce = (partnersTable: string, kind: KeyKind, ring: KeyRing) =>
  new PutCommand({
    TableName: partnersTable,
    Item: { ...ringKey(kind), ...ring },
    ...(ring.revision === 1
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'revision = :before',
          ExpressionAttributeValues: { ':before': ring.revision - 1 },
        }),
  });
