import { Agent, request } from 'node:http';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type Command = { input: Record<string, unknown>; constructor: { name: string } };
type Value = Record<string, unknown>;

const operations: Record<string, string> = {
  GetCommand: 'GetItem',
  BatchGetCommand: 'BatchGetItem',
  QueryCommand: 'Query',
};

/**
 * A reading client for tests that ask tens of thousands of questions: the same engine and wire protocol, a quarter of
 * the SDK's work a request. It knows GetItem, BatchGetItem and Query, and text and numbers in keys.
 */
export const quickDocuments = (endpoint: string) => {
  const { hostname, port } = new URL(endpoint);
  const agent = new Agent({ keepAlive: true });
  const counts = { requests: 0 };

  const send = async (command: Command) => {
    counts.requests += 1;
    const operation = operations[command.constructor.name];
    if (!operation) throw new Error(`quickDocuments does not know ${command.constructor.name}`);
    const answer = await post({ hostname, port, agent }, operation, JSON.stringify(toWire(command.input)));
    return fromWire(answer);
  };
  const documents = { send, destroy: () => agent.destroy() };
  return { documents: documents as unknown as DynamoDBDocumentClient, counts };
};

const post = (at: { hostname: string; port: string; agent: Agent }, operation: string, body: string) =>
  new Promise<Value>((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20260101/eu-west-2/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      'x-amz-date': '20260101T000000Z',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request({ ...at, method: 'POST', headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${operation}: ${response.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** The members of a request that hold attribute values. */
const toWire = ({
  Key,
  ExclusiveStartKey,
  ExpressionAttributeValues,
  RequestItems,
  ...rest
}: Value): Value => ({
  ...rest,
  ...(Key !== undefined && { Key: marshall(Key) }),
  ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey: marshall(ExclusiveStartKey) }),
  ...(ExpressionAttributeValues !== undefined && {
    ExpressionAttributeValues: marshall(ExpressionAttributeValues),
  }),
  ...(RequestItems !== undefined && { RequestItems: keysToWire(RequestItems) }),
});

const keysToWire = (tables: unknown) =>
  Object.fromEntries(
    Object.entries(tables as Record<string, { Keys: unknown[] }>).map(([name, table]) => [
      name,
      { ...table, Keys: table.Keys.map(marshall) },
    ]),
  );

const marshall = (values: unknown) =>
  Object.fromEntries(
    Object.entries(values as Value).map(([name, value]) => [
      name,
      typeof value === 'number' ? { N: `${value}` } : { S: `${value}` },
    ]),
  );

const fromWire = ({ Item, Items, LastEvaluatedKey, Responses, UnprocessedKeys }: Value) => ({
  ...(Item !== undefined && { Item: unmarshall(Item) }),
  ...(Items !== undefined && { Items: (Items as unknown[]).map(unmarshall) }),
  ...(LastEvaluatedKey !== undefined && { LastEvaluatedKey: unmarshall(LastEvaluatedKey) }),
  ...(Responses !== undefined && {
    Responses: Object.fromEntries(
      Object.entries(Responses as Record<string, unknown[]>).map(([name, items]) => [
        name,
        items.map(unmarshall),
      ]),
    ),
  }),
  UnprocessedKeys: UnprocessedKeys ?? {},
});

const unmarshall = (item: unknown): Value =>
  Object.fromEntries(Object.entries(item as Value).map(([name, value]) => [name, plain(value as Value)]));

const plain = ({ S, N, M, NULL }: Value): unknown => {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (M !== undefined) return unmarshall(M);
  return NULL === true ? null : undefined;
};
