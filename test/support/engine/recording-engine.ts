import { startDynoxide } from '../../../localstack/dynamodb/dynoxide.ts';
import { type RightsOf, startRecorder } from './recorder.ts';

type Attributes = Record<string, { S?: string }>;
/** What names the items that a request is about; a Query names its partition in its condition. */
type Keyed = {
  Key?: Attributes;
  Item?: Attributes;
  Keys?: Attributes[];
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
};
type TransactItem = Record<string, Keyed & { TableName: string }>;
type Call = Keyed & {
  TableName?: string;
  IndexName?: string;
  RequestItems?: Record<string, Keyed>;
  TransactItems?: TransactItem[];
};

/** The right that each part of a transaction needs. */
const rightsOfParts: Record<string, string> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/**
 * An engine behind an address that notes which function used which right: `v2-write` → `Requests dynamodb:PutItem`,
 * `publish-dormant` → `Debounce/index/due dynamodb:Query`, and of partners and requests which partition: `v2-read` →
 * `Partners/PARTNER#* dynamodb:GetItem`.
 */
export const startRecordingEngine = async () => {
  const engine = await startDynoxide();
  const recorder = await startRecorder(engine.endpoint, tableRights);
  return {
    ...recorder,
    stop: async () => {
      recorder.stop();
      await engine.stop();
    },
  };
};

/** The rights that a request at the tables needs. */
export const tableRights: RightsOf = (target, body) => {
  const action = target.split('.')[1] ?? '';
  const call = JSON.parse(body.toString()) as Call;
  const { TableName, IndexName, RequestItems, TransactItems } = call;
  const parts = (TransactItems ?? []).flatMap((item) =>
    Object.entries(item).flatMap(([part, { TableName: table, ...keyed }]) =>
      rights(table, keyed, rightsOfParts[part] ?? part),
    ),
  );
  const tables = Object.entries(RequestItems ?? (TableName === undefined ? {} : { [TableName]: call }));
  const place = IndexName === undefined ? '' : `/index/${IndexName}`;
  return [...parts, ...tables.flatMap(([table, keyed]) => rights(`${table}${place}`, keyed, action))];
};

/** Tables of the stage are named `<stack>-<logical id>`. */
const rights = (table: string, keyed: Keyed, action: string): string[] => {
  const name = table.split('-').at(-1);
  const isWhole = action === 'Scan' || !['Partners', 'Requests', 'Audit'].includes(name ?? '');
  if (isWhole) return [`${name} dynamodb:${action}`];
  return partitionsOf(keyed).map((partition) => `${name}/${partition} dynamodb:${action}`);
};

/** `PARTNER#*` for the partition of any partner; what has no `#` is a partition of its own. */
const partitionsOf = ({ Key, Item, Keys = [], ...query }: Keyed): string[] => {
  const named = [Key, Item, ...Keys].flatMap((attributes) => attributes?.pk?.S ?? []);
  const all = named.length > 0 ? named : [partitionAskedFor(query)];
  return [...new Set(all.map((pk) => (pk.includes('#') ? `${pk.split('#')[0]}#*` : pk)))];
};

const partitionAskedFor = ({
  KeyConditionExpression = '',
  ExpressionAttributeNames = {},
  ExpressionAttributeValues = {},
}: Keyed): string => {
  const terms = [...KeyConditionExpression.matchAll(/([#\w]+) = (:\w+)/g)];
  const [, , value = ''] =
    terms.find(([, name = '']) => (ExpressionAttributeNames[name] ?? name) === 'pk') ?? [];
  return ExpressionAttributeValues[value]?.S ?? '?';
};
