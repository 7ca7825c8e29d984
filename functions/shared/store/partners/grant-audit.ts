import { TransactGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Grant } from '../../domain/ownership/grant.ts';
import type { Partner } from '../../domain/partner.ts';
import { chunksOf } from '../../runtime/chunks.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { pagesOf } from '../dynamodb/pages.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { Statement } from '../dynamodb/statement.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { readAllPartners } from './directory.ts';
import { mostRowsInStep } from './grant-change.ts';
import { addGrantee, granteesIn, removeGrantee } from './grantees.ts';
import { grantKey, grantPartition, profileKey } from './keys.ts';

/** `missing`: the record has the grant, and its events would not be sent. `left-over`: only the index has it; harmless. */
type GrantDifference = { clientId: string; grant: Grant; found: 'missing' | 'left-over' };

/** How many partners there are, how many grants anybody holds, and where the index is not what the records say. */
export type GrantAudit = { partners: number; grants: number; differences: GrantDifference[] };

/** For the operator's `partner audit` (GRANT-4). A change at the same time is no difference. */
export type GrantAuditor = {
  audit: () => Promise<GrantAudit>;
  /** Makes the index what the records say, and answers what it was not. */
  mend: () => Promise<GrantAudit>;
};

type PartnersAccess = TableAccess<'partnersTable'>;
type Key = ReturnType<typeof grantKey>;

/** An item of the index. */
type Row = { key: Key; grant: Grant; grantees: ReadonlySet<string> };

/** A partner, and places where it seemed to differ; how it really is, is read once more. */
type Suspicion = { clientId: string; places: { key: Key; grant: Grant }[] };

export const createGrantAuditor = (access: PartnersAccess): GrantAuditor => {
  const look =
    (examine: (access: PartnersAccess, suspicion: Suspicion) => Promise<GrantDifference[]>) => async () => {
      const rows = await readIndex(access);
      const partners = await readAllPartners(access);
      const differences: GrantDifference[] = [];
      for (const suspicion of suspicionsOf(partners, rows))
        differences.push(...(await examine(access, suspicion)));
      return { partners: partners.length, grants: rows.length, differences };
    };
  return { audit: look(differencesOf), mend: look(mend) };
};

const digits = [...'0123456789abcdef'];

/** What nobody holds any more is left out. */
const readIndex = async (access: PartnersAccess): Promise<Row[]> => {
  const rows = await Promise.all(digits.map((digit) => readPartition(access, grantPartition(digit))));
  return rows.flat().filter(({ grantees }) => grantees.size > 0);
};

const readPartition = async (access: PartnersAccess, pk: string): Promise<Row[]> => {
  const rows: Row[] = [];
  const pages = pagesOf(access, {
    TableName: access.partnersTable,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  for await (const items of pages)
    for (const item of items)
      rows.push({
        key: { pk, sk: String(item.sk) },
        grant: item.grant as Grant,
        grantees: new Set(granteesIn(item)),
      });
  return rows;
};

/** Of a partner with hundreds of them in parts, each of which fits into one atomic write. */
const suspicionsOf = (partners: readonly Partner[], rows: readonly Row[]): Suspicion[] => {
  const places = new Map<string, Suspicion['places']>();
  const suspect = (clientId: string, place: Suspicion['places'][number]) =>
    places.set(clientId, [...(places.get(clientId) ?? []), place]);
  const held = new Map(partners.map(({ clientId, grants }) => [clientId, placesOf(grants)]));
  const grantees = new Map(rows.map((row) => [row.key.sk, row.grantees]));
  for (const [clientId, grants] of held)
    for (const [sk, place] of grants) if (!grantees.get(sk)?.has(clientId)) suspect(clientId, place);
  for (const { key, grant, grantees } of rows)
    for (const clientId of grantees) if (!held.get(clientId)?.has(key.sk)) suspect(clientId, { key, grant });
  return [...places].flatMap(([clientId, all]) =>
    chunksOf(all, mostRowsInStep).map((some) => ({ clientId, places: some })),
  );
};

const placesOf = (grants: readonly Grant[]) =>
  new Map(grants.map((grant) => ({ key: grantKey(grant), grant })).map((place) => [place.key.sk, place]));

const differencesOf = async (access: PartnersAccess, suspicion: Suspicion): Promise<GrantDifference[]> =>
  (await examine(access, suspicion)).differences;

/** Record and index as of one instant. */
const examine = async (
  { documents, partnersTable: TableName, retryDelays }: PartnersAccess,
  { clientId, places }: Suspicion,
): Promise<{ partner: Partner | undefined; differences: GrantDifference[] }> => {
  const keys = [profileKey(clientId), ...places.map(({ key }) => key)];
  const request = new TransactGetCommand({
    TransactItems: keys.map((Key) => ({ Get: { TableName, Key } })),
  });
  const { Responses = [] } = await withRetries(() => documents.send(request), retryDelays);
  const [profile, ...items] = Responses.map(({ Item }) => Item);
  const partner = profile?.partner as Partner | undefined;
  const held = placesOf(partner?.grants ?? []);
  const differences = places.flatMap(({ key, grant }, index): GrantDifference[] => {
    const [isHeld, isFound] = [held.has(key.sk), granteesIn(items[index]).includes(clientId)];
    return isHeld === isFound ? [] : [{ clientId, grant, found: isHeld ? 'missing' : 'left-over' }];
  });
  return { partner, differences };
};

/** Where the record changes meanwhile, it is looked at once more. */
const mend = async (access: PartnersAccess, suspicion: Suspicion): Promise<GrantDifference[]> => {
  const { documents, partnersTable, retryDelays } = access;
  const { partner, differences } = await examine(access, suspicion);
  if (differences.length === 0) return [];
  const command = new TransactWriteCommand({
    TransactItems: [
      isAsRead(partnersTable, suspicion.clientId, partner),
      ...differences.map((difference) => mending(partnersTable, difference)),
    ],
  });
  const isMended = await conditionHeld(withRetries(() => documents.send(command), retryDelays));
  return isMended ? differences : mend(access, suspicion);
};

const mending = (table: string, { clientId, grant, found }: GrantDifference): Statement =>
  found === 'missing' ? addGrantee(table, grant, clientId) : removeGrantee(table, grantKey(grant), clientId);

/** A condition that changes nothing, by rights that the operator's tool has anyway. */
const isAsRead = (TableName: string, clientId: string, partner: Partner | undefined): Statement => {
  const item = { TableName, Key: profileKey(clientId) };
  if (!partner) return { Delete: { ...item, ConditionExpression: 'attribute_not_exists(pk)' } };
  return {
    Update: {
      ...item,
      UpdateExpression: 'SET #partner = :partner',
      ConditionExpression: '#partner = :partner',
      ExpressionAttributeNames: { '#partner': 'partner' },
      ExpressionAttributeValues: { ':partner': partner },
    },
  };
};
