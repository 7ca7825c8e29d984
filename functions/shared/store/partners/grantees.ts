import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { coveringGrants, type Grant } from '../../domain/ownership/grant.ts';
import type { NdMeta } from '../../domain/ownership/owner.ts';
import type { PartnerChange } from '../../domain/partner.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { failureOf } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { Statement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { grantChange } from './grant-change.ts';
import { grantKey } from './keys.ts';

/** Of an item of the index. */
type Key = ReturnType<typeof grantKey>;
type PartnersAccess = TableAccess<'partnersTable'>;

/** What keeps the index of grantees as the partner's record is made to say; parts of the same atomic write (GRANT-4). */
export const granteeStatements = (TableName: string, { before, after }: PartnerChange): Statement[] => {
  const { added, removed } = grantChange(before.grants, after.grants);
  return [
    ...added.map((grant) => addGrantee(TableName, grant, after.clientId)),
    ...removed.map((grant) => removeGrantee(TableName, grantKey(grant), after.clientId)),
  ];
};

/** The grant itself stands beside its grantees, for people. */
export const addGrantee = (TableName: string, grant: Grant, clientId: string): Statement => ({
  Update: {
    ...{ TableName, Key: grantKey(grant) },
    UpdateExpression: 'SET #grant = :grant ADD #clientIds :grantee',
    ExpressionAttributeNames: { '#grant': 'grant', '#clientIds': 'clientIds' },
    ExpressionAttributeValues: { ':grant': grant, ':grantee': new Set([clientId]) },
  },
});

/** A set that becomes empty goes, and its item stays: it costs what an item costs that is not there. */
const removeGrantee = (TableName: string, Key: Key, clientId: string): Statement => ({
  Update: {
    ...{ TableName, Key },
    UpdateExpression: 'DELETE #clientIds :grantee',
    ExpressionAttributeNames: { '#clientIds': 'clientIds' },
    ExpressionAttributeValues: { ':grantee': new Set([clientId]) },
  },
});

/** TransactGetItems takes 100 items, and an owner has four grants that cover it. */
const ownersInRequest = 25;

/**
 * The client ids of all who hold a grant that covers one of these owners, each once and in order. All grants of an owner are
 * read as of one instant, or a partner whose grant is widened or narrowed meanwhile would be found by neither.
 */
export const granteesAmong = async (
  access: PartnersAccess,
  owners: readonly (NdMeta | undefined)[],
): Promise<string[]> => {
  const asked = new Map(owners.map(coveringGrants).map((grants) => [JSON.stringify(grants), grants]));
  const chunks = chunksOf([...asked.values()], ownersInRequest);
  const found = await Promise.all(chunks.map((some) => readInParts(access, some)));
  return [...new Set(found.flat())].sort();
};

/** The engine refuses what comes to more than 4 MB: then half of the owners at a time. The four grants of one come to 1.6 MB. */
const readInParts = async (
  access: PartnersAccess,
  chunk: readonly (readonly Grant[])[],
): Promise<string[]> => {
  try {
    return await readTogether(access, chunk.flat());
  } catch (fault) {
    if (chunk.length < 2 || failureOf(fault) !== 'fatal') throw fault;
    const halves = chunksOf(chunk, Math.ceil(chunk.length / 2));
    return (await Promise.all(halves.map((half) => readInParts(access, half)))).flat();
  }
};

const readTogether = async (
  { documents, partnersTable, retryDelays }: PartnersAccess,
  grants: readonly Grant[],
): Promise<string[]> => {
  const keys = new Map(grants.map(grantKey).map((key) => [key.sk, key]));
  if (keys.size === 0) return [];
  const request = new TransactGetCommand({
    TransactItems: [...keys.values()].map((Key) => ({ Get: { TableName: partnersTable, Key } })),
  });
  const { Responses = [] } = await withRetries(() => documents.send(request), retryDelays);
  return Responses.flatMap(({ Item }) => granteesIn(Item));
};

/** An absent set is an empty one. */
const granteesIn = (item: Record<string, unknown> | undefined): string[] => [
  ...((item?.clientIds as Set<string> | undefined) ?? []),
];
