import { TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { coveringGrants, type Grant } from '../../domain/ownership/grant.ts';
import type { NdMeta } from '../../domain/ownership/owner.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { failureOf } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { grantKey } from './keys.ts';

type PartnersAccess = TableAccess<'partnersTable'>;

/** TransactGetItems takes 100 items, and an owner has four grants that cover it. */
const ownersInRequest = 25;

/**
 * The client ids of all holders of a grant that covers one of these owners, each once and in order. All grants of an
 * owner are read as of one instant. Otherwise a partner whose grant is widened or narrowed meanwhile could be missed by
 * both reads.
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

/**
 * The engine refuses more than 4 MB, and then half of the owners are read at a time. The four grants of one have at
 * most 1.6 MB.
 */
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
