import { propertiesOf, type StackTemplate } from '../engine/templates.ts';
import type { Asked } from './asked.ts';

type Policy = { Roles: { Ref: string }[]; PolicyDocument: { Statement: Statement[] } };
type Statement = {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
};
type Role = { 'Fn::GetAtt': [role: string, attribute: 'Arn'] };

/** What the role of a function may do by the template, `Requests dynamodb:GetItem`, one a right. */
export const rightsOf = (service: StackTemplate, functionName: string): string[] =>
  rightsOfRole(service, roleOf(service, functionName));

const roleOf = (service: StackTemplate, functionName: string): string | undefined => {
  const functions = propertiesOf(service, 'AWS::Lambda::Function') as { Description: string; Role: Role }[];
  return functions.find(({ Description }) => Description === functionName)?.Role['Fn::GetAtt'][0];
};

/** Likewise of a role by its logical id. */
export const rightsOfRole = (service: StackTemplate, role: string | undefined): string[] =>
  statementsOf(service, role)
    .flatMap(({ Action, ...statement }) =>
      [Action].flat().flatMap((action) => placesOf(statement).map((place) => `${place} ${action}`)),
    )
    .sort();

/** The statements of its policy. */
export const statementsOf = (service: StackTemplate, role: string | undefined): Statement[] =>
  (propertiesOf(service, 'AWS::IAM::Policy') as Policy[])
    .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === role))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

/** Whether IAM would let the function do what it asks DynamoDB for. */
export const isAllowed = (service: StackTemplate, functionName: string, asked: Asked): boolean =>
  isAllowedToRole(service, roleOf(service, functionName), asked);

/** Likewise of a role by its logical id. */
export const isAllowedToRole = (service: StackTemplate, role: string | undefined, asked: Asked): boolean =>
  statementsOf(service, role).some(
    ({ Effect, Action, Resource, Condition = {} }) =>
      Effect === 'Allow' &&
      [Action].flat().includes(`dynamodb:${asked.action}`) &&
      [Resource].flat().some((resource) => resourceName(resource) === asked.place) &&
      Object.entries(Condition).every(([operator, keys]) => holds(operator, keys, asked.context)),
  );

/** An operator with one key is judged like IAM does ("IAM JSON policy elements: Condition operators"); several must all hold. */
const holds = (
  operator: string,
  keys: Record<string, string | string[]>,
  context: Asked['context'],
): boolean => {
  const judge = operators[operator];
  if (!judge) throw new Error(`The simulator does not know the operator ${operator}`);
  return Object.entries(keys).every(([key, given]) => judge(context[key], [given].flat()));
};

type Judge = (asked: readonly string[] | undefined, given: readonly string[]) => boolean;

const operators: Record<string, Judge> = {
  'ForAllValues:StringLike': (asked = [], given) =>
    asked.every((value) => given.some((pattern) => isLike(value, pattern))),
  'ForAllValues:StringEquals': (asked = [], given) => asked.every((value) => given.includes(value)),
  StringEqualsIfExists: (asked = [], given) => asked.every((value) => given.includes(value)),
  Null: (asked, [given]) => (asked === undefined) === (given === 'true'),
};

/** `*` stands for any text. None of our patterns has a `?`. */
const isLike = (value: string, pattern: string): boolean => {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return value === pattern;
  return rest.join('') === '' && value.startsWith(start);
};

/** A right that is bound to partitions is one for each of them: `Partners/PARTNER#*`. */
const placesOf = ({ Resource, Condition }: Omit<Statement, 'Action'>): string[] => {
  const names = [Resource].flat().map(resourceName);
  const partitions = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
  if (partitions === undefined) return names;
  return names.flatMap((name) => [partitions].flat().map((partition) => `${name}/${partition}`));
};

/**
 * `Partners`, `AccessKeys`… for what the data stack made, `Debounce/index/due` for an index; a resource beside the function
 * by its id without the hash; what has no resource in a template by the end of its name.
 */
const resourceName = (resource: unknown): string => {
  if (typeof resource === 'string') return resource;
  const text = JSON.stringify(resource);
  const [, imported] =
    /PublishOutput(?:Ref|FnGetAtt)([A-Za-z]+?)(?:[0-9A-F]{8})?(?:Arn)?[0-9A-F]{8}"/.exec(text) ?? [];
  const [, index = ''] = /"(\/index\/\w+)"/.exec(text) ?? [];
  if (imported) return `${imported}${index}`;
  const [, beside] = /^{"Fn::GetAtt":\["(\w+)[0-9A-F]{8}","Arn"\]}$/.exec(text) ?? [];
  if (beside) return beside.includes('Log') ? 'its own log' : beside;
  return /:([^:"]+)"\]\]}$/.exec(text)?.[1] ?? text;
};

/** The functions that work on a table by partitions, and its partitions but those that the operator's tool has for itself. */
const places = {
  Partners: {
    roles: [
      ...['issue-token', 'v1-transaction', 'v2-partner', 'v2-read', 'v2-write'],
      ...['publish-dormant', 'reconcile', 'rotate-keys'],
    ],
    partitions: [
      ...['KEYS', 'PARTNER#*', 'HASHES#*', 'USE#*', 'GRANT#*'],
      ...['ESTATE#*', 'ORIGIN#*', 'STAGE'],
    ],
  },
  Requests: {
    roles: ['issue-token', 'v1-transaction', 'v2-partner', 'v2-read', 'v2-write'],
    partitions: ['IDEM#*', 'SESSION#*', 'REVOKED#*', 'WRONG#*', 'RATE#*', 'SEAL#*', 'SEAL#V1'],
  },
};
const letters = { GetItem: 'G', BatchGetItem: 'B', Query: 'Q', PutItem: 'P', UpdateItem: 'U' };

/** The tables of which functions use partitions. */
export const partitionedTables = ['Partners', 'Requests'] as const;
type PartitionedTable = (typeof partitionedTables)[number];

/** Role by partition as docs/rights.md shows it, from rights such as `Partners/KEYS dynamodb:GetItem`. */
export const roleByPartition = (
  table: PartitionedTable,
  rightsBy: (role: string) => readonly string[],
): string => {
  const { roles, partitions } = places[table];
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const heads = ['role', ...partitions.map((partition) => partition.replace('*', ''))];
  const longest = Math.max(...roles.map((role) => role.length));
  const widths = heads.map((head, at) => (at === 0 ? longest : head.length));
  const rows = roles.map((role) => [role, ...cellsOf(table, rightsBy(role))]);
  return [row(heads), row(widths.map((width) => '-'.repeat(width))), ...rows.map(row)].join('\n');
};

/** What the page tells in a sentence: who writes signatures, adds records of changes and reads the list of partners. */
const told = /^Partners\/(WEBHOOK#|AUDIT#|PARTNERS )/;

/** Throws at what the table has no room for, so that nothing is left out of it unseen. */
const cellsOf = (table: PartitionedTable, rights: readonly string[]): string[] => {
  const known = places[table].partitions.map((partition) =>
    Object.entries(letters).filter(([action]) => rights.includes(`${table}/${partition} dynamodb:${action}`)),
  );
  // A right to one attribute is listed beside that to another.
  const ofTable = new Set(rights.filter((right) => right.startsWith(table) && !told.test(right)));
  if (known.flat().length !== ofTable.size) throw new Error(`No room for all of ${[...ofTable].join(', ')}`);
  return known.map((actions) => actions.map(([, letter]) => letter).join(' '));
};
