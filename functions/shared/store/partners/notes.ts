import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { StoredSecret } from '../../domain/partner.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { hashesKey, profileKey, usesKey } from './keys.ts';

/** What the token service writes of partners. Separate from what only the operator's tool may change. */
export type PartnerNotes = {
  /** The day on which a secret was used. */
  noteUse: (clientId: string, secretId: string, day: string) => Promise<void>;
  /** The same secret under another pepper, if its hash is still the one that was read. */
  rehash: (
    clientId: string,
    before: StoredSecret,
    fresh: Pick<StoredSecret, 'hash' | 'pepperId'>,
  ) => Promise<void>;
  /** One of its tokens is in the denylist now. */
  noteRevocation: (clientId: string, atMs: number) => Promise<void>;
};

/**
 * Its role may write only these: `revokedAtMs` of a profile, `hashes`, and all of `USE#*` (S-80). A later revocation or
 * another hash that is stored already stays.
 */
export const createPartnerNotes = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): PartnerNotes => {
  const note = async (change: Omit<UpdateCommandInput, 'TableName'>) => {
    await conditionHeld(documents.send(new UpdateCommand({ TableName: partnersTable, ...change })));
  };

  return {
    noteRevocation: (clientId, atMs) =>
      note({
        Key: profileKey(clientId),
        UpdateExpression: 'SET revokedAtMs = :at',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(revokedAtMs) OR revokedAtMs < :at)',
        ExpressionAttributeValues: { ':at': atMs },
      }),
    noteUse: (clientId, secretId, day) =>
      note({
        Key: usesKey(clientId),
        UpdateExpression: 'SET #id = :day',
        ExpressionAttributeNames: { '#id': secretId },
        ExpressionAttributeValues: { ':day': day },
      }),
    rehash: (clientId, { id, hash, pepperId }, fresh) =>
      note({
        Key: hashesKey(clientId),
        UpdateExpression: 'SET hashes.#id = :hash',
        ConditionExpression: 'hashes.#id = :former',
        ExpressionAttributeNames: { '#id': id },
        ExpressionAttributeValues: { ':former': { hash, pepperId }, ':hash': fresh },
      }),
  };
};
