import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startDynoxide } from '../../../localstack/dynamodb/dynoxide.ts';

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
  const used = new Map<string, Set<string>>();
  const note = (caller: string, rights: string[]) =>
    used.set(caller, new Set([...(used.get(caller) ?? []), ...rights]));
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    note(callerOf(request), rightsFor(String(request.headers['x-amz-target']), body));
    const answer = await fetch(engine.endpoint, { method: 'POST', headers: headersOf(request), body });
    response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    usedBy: (caller: string) => [...(used.get(caller) ?? [])].sort(),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await engine.stop();
    },
  };
};

/** The stage has its functions name themselves in the SDK's own way; Powertools puts its own name behind theirs. */
const callerOf = ({ headers }: IncomingMessage) =>
  /\bapp\/([a-z0-9-]+?)(?=-PT-|\s|$)/.exec(headers['user-agent'] ?? '')?.[1] ?? '';

const headersOf = ({ headers }: IncomingMessage) => ({
  'Content-Type': String(headers['content-type']),
  'X-Amz-Target': String(headers['x-amz-target']),
  Authorization: String(headers.authorization),
  'X-Amz-Date': String(headers['x-amz-date']),
});

const rightsFor = (target: string, body: Buffer): string[] => {
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
  if (!['Partners', 'Requests'].includes(name ?? '')) return [`${name} dynamodb:${action}`];
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
