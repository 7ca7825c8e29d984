type Attributes = Record<string, { S?: string }>;
type Expressions = {
  UpdateExpression?: string;
  ConditionExpression?: string;
  ProjectionExpression?: string;
  KeyConditionExpression?: string;
  FilterExpression?: string;
};
/** What names the items that a request is about, and their attributes; a Query names its partition in its condition. */
type Keyed = Expressions & {
  Key?: Attributes;
  Item?: Attributes;
  Keys?: Attributes[];
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
  ReturnValues?: string;
};
type Call = Keyed & {
  TableName?: string;
  IndexName?: string;
  RequestItems?: Record<string, Keyed | WriteRequest[]>;
  TransactItems?: Record<string, Keyed & { TableName: string }>[];
};

/** A part of a BatchWriteItem. */
type WriteRequest = { PutRequest?: { Item: Attributes }; DeleteRequest?: { Key: Attributes } };

/** What IAM judges of a request to DynamoDB, or of one part of it. */
export type Asked = {
  /** `UpdateItem`. */
  action: string;
  /** `Partners`, `Debounce/index/due`. */
  place: string;
  /** The values of the condition keys that the request has, such as `dynamodb:LeadingKeys`. */
  context: Readonly<Record<string, readonly string[]>>;
};

/** The right that each part of a transaction needs. */
const actionsOfParts: Record<string, string> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** What a request asks for, by its `X-Amz-Target` and its body: one for each table of a batch, and each part of a transaction. */
export const askedOf = (target: string, body: Buffer | string): Asked[] => {
  const action = target.split('.')[1] ?? '';
  const call = JSON.parse(body.toString()) as Call;
  const { TableName, IndexName, RequestItems, TransactItems } = call;
  const parts = (TransactItems ?? []).flatMap((item) =>
    Object.entries(item).map(([part, { TableName: table, ...keyed }]) =>
      toAsked(actionsOfParts[part] ?? part, table, keyed),
    ),
  );
  const tables = Object.entries(RequestItems ?? (TableName === undefined ? {} : { [TableName]: call }));
  const place = IndexName === undefined ? '' : `/index/${IndexName}`;
  return [
    ...parts,
    ...tables.map(([table, keyed]) =>
      toAsked(action, `${table}${place}`, Array.isArray(keyed) ? written(keyed) : keyed),
    ),
  ];
};

const written = (requests: readonly WriteRequest[]): Keyed => ({
  Keys: requests.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
});

/** Tables of the stage are named `<stack>-<logical id>`. */
const toAsked = (action: string, table: string, keyed: Keyed): Asked => {
  const { ReturnValues } = keyed;
  const context = {
    'dynamodb:LeadingKeys': action === 'Scan' ? [] : partitionsOf(keyed),
    'dynamodb:Attributes': attributesOf(keyed),
    'dynamodb:ReturnValues': ReturnValues === undefined ? [] : [ReturnValues],
  };
  return {
    ...{ action, place: table.split('-').at(-1) ?? '' },
    context: Object.fromEntries(Object.entries(context).filter(([, values]) => values.length > 0)),
  };
};

const partitionsOf = ({ Key, Item, Keys = [], ...query }: Keyed): string[] => {
  const named = [Key, Item, ...Keys].flatMap((attributes) => attributes?.pk?.S ?? []);
  return [...new Set(named.length > 0 ? named : [partitionAskedFor(query)])];
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

/** The top-level attributes that a request names; one that reads without naming any asks for all, and has none. */
const attributesOf = ({ Key, Item, Keys = [], ExpressionAttributeNames = {}, ...rest }: Keyed): string[] => {
  const { UpdateExpression, ConditionExpression, ProjectionExpression } = rest;
  const { KeyConditionExpression, FilterExpression } = rest;
  const expressions = [
    ...[UpdateExpression, ConditionExpression, ProjectionExpression],
    ...[KeyConditionExpression, FilterExpression],
  ];
  const named = expressions.flatMap((expression) => namesIn(expression ?? ''));
  if (!Item && named.length === 0) return [];
  const keys = [Key, Item, ...Keys].flatMap((attributes) => Object.keys(attributes ?? {}));
  return [...new Set([...keys, ...named.map((name) => ExpressionAttributeNames[name] ?? name)])].sort();
};

const words = new Set([...['SET', 'REMOVE', 'ADD', 'DELETE'], ...['AND', 'OR', 'NOT', 'BETWEEN', 'IN']]);

/** The first name of each path; values begin with a colon, functions are called. */
const namesIn = (expression: string): string[] =>
  [...expression.matchAll(/(?<![\w.#:])(#?\w+)(?!\w|\s*\()/g)]
    .map(([, name = '']) => name)
    .filter((name) => !words.has(name.toUpperCase()) && !/^\d/.test(name));
