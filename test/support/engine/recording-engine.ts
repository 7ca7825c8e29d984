import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startDynoxide } from '../../../localstack/dynamodb/dynoxide.ts';

type TransactItem = Record<string, { TableName: string }>;
type Call = {
  TableName?: string;
  IndexName?: string;
  RequestItems?: Record<string, unknown>;
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
 * `publish-dormant` → `Debounce/index/due dynamodb:Query`.
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
  const { TableName, IndexName, RequestItems, TransactItems } = JSON.parse(body.toString()) as Call;
  const parts = (TransactItems ?? []).flatMap((item) =>
    Object.entries(item).map(([part, { TableName: table }]) => right(table, rightsOfParts[part] ?? part)),
  );
  const tables = Object.keys(RequestItems ?? (TableName === undefined ? {} : { [TableName]: 0 }));
  const place = IndexName === undefined ? '' : `/index/${IndexName}`;
  return [...parts, ...tables.map((table) => right(`${table}${place}`, action))];
};

/** Tables of the stage are named `<stack>-<logical id>`. */
const right = (table: string, action: string) => `${table.split('-').at(-1)} dynamodb:${action}`;
