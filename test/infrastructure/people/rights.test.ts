import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../../lib/config.ts';
import { propertiesOf, templatesOf } from '../../support/engine/templates.ts';
import { root } from '../../support/repository.ts';
import {
  partitionedTables,
  rightsOf as rightsIn,
  rightsOfRole,
  roleByPartition,
} from '../../support/rights/rights.ts';

/** Where entries of transactions lie (docs/listing.md). */
const valueRuns = ['v#*', 'V#*', 'x#*', 'X#*'];
const runs = ['a#*', 'e#*', 's#*', ...valueRuns];

/** Entries are put and removed; counters are added to, and numbers taken. */
const writesOfListing = [
  ...runs.map((run) => `Listing/${run} dynamodb: DeleteItem PutItem`),
  ...['Listing/c#* dynamodb: UpdateItem', 'Listing/seq dynamodb: UpdateItem'],
];

/** Audit records are added, to the Partners table and to their copy, and never read or changed. */
const appends = [
  ...['Audit/AUDIT#* dynamodb: PutItem', 'Audit/DONE#* dynamodb: PutItem'],
  'Partners/AUDIT#* dynamodb: PutItem',
];

/** Every right of every function, beside traces and its own log: what the resource is, and the actions on it. */
const expectedRights = (stage: string): Record<string, string[]> => ({
  'capture-change': [
    'ChangeCaptureGivenUp sqs: SendMessage',
    'Debounce/TX#* dynamodb: UpdateItem',
    'TransactionsStream dynamodb: DescribeStream GetRecords GetShardIterator ListStreams',
  ],
  'collect-dead-letters': [
    // What a partner is owed, and lines of the log.
    'Debounce/LOG#* dynamodb: BatchWriteItem',
    'Debounce/TO#* dynamodb: BatchGetItem PutItem',
    'Debounce/TX#* dynamodb: BatchWriteItem',
    'EndpointKeeperRequests sqs: SendMessage',
    'PartnerBusDeadLetters sqs: DeleteMessage GetQueueAttributes ReceiveMessage',
  ],
  'issue-token': [
    'AccessKeys secretsmanager: GetSecretValue',
    ...appends,
    'Partners/HASHES#* dynamodb: BatchGetItem UpdateItem',
    'Partners/KEYS dynamodb: GetItem',
    // One right for each attribute.
    ...['Partners/PARTNER#* dynamodb: BatchGetItem UpdateItem', 'Partners/PARTNER#* dynamodb: UpdateItem'],
    'Partners/USE#* dynamodb: BatchGetItem UpdateItem',
    'Pepper secretsmanager: GetSecretValue',
    'Requests/IDEM#* dynamodb: GetItem PutItem',
    'Requests/RATE#* dynamodb: UpdateItem',
    'Requests/REVOKED#* dynamodb: GetItem PutItem',
    'Requests/WRONG#* dynamodb: GetItem UpdateItem',
  ],
  'keep-endpoints': [
    // A list has no resource to name.
    '* events: ListConnections',
    'DataKey kms: DescribeKey',
    'Debounce/PASS#* dynamodb: PutItem',
    'EndpointKeeperProbeEndpointFunction lambda: InvokeFunction',
    'EndpointKeeperRequests sqs: DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
    'PartnerBusDeliveryRole iam: PassRole',
    'Partners/PARTNER#* dynamodb: BatchGetItem GetItem UpdateItem',
    'Partners/PARTNERS dynamodb: Query',
    'Partners/STAGE dynamodb: BatchGetItem GetItem',
    'Partners/TURN dynamodb: GetItem PutItem',
    'Partners/WEBHOOK#* dynamodb: GetItem',
    `api-destination/transactions-${stage}-* events: CreateApiDestination DeleteApiDestination DescribeApiDestination UpdateApiDestination`,
    `connection/transactions-${stage}-* events: CreateApiDestination CreateConnection DeleteConnection DescribeApiDestination DescribeConnection UpdateConnection`,
    `rule/transactions-${stage}/transactions-${stage}-* events: DeleteRule DescribeRule ListTargetsByRule PutRule PutTargets RemoveTargets`,
    `events!connection/transactions-${stage}-* secretsmanager: CreateSecret DeleteSecret GetSecretValue PutSecretValue UpdateSecret`,
  ],
  'probe-endpoint': [],
  'publish-dormant': [
    'Debounce/LOG#* dynamodb: BatchWriteItem Query',
    'Debounce/PASS#* dynamodb: ConditionCheckItem DeleteItem PutItem Query',
    'Debounce/TO#* dynamodb: BatchGetItem DeleteItem PutItem Query',
    'Debounce/TX#* dynamodb: BatchGetItem BatchWriteItem DeleteItem PutItem',
    'Debounce/index/due dynamodb: Query',
    'DormantPublisherShards sqs: DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
    'DormantPublisherMessages sqs: DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
    'PartnerBus events: DescribeEventBus PutEvents',
    'Partners/GRANT#* dynamodb: GetItem',
    'Partners/PARTNER#* dynamodb: BatchGetItem',
    'Partners/STAGE dynamodb: BatchGetItem GetItem',
    'Transactions dynamodb: BatchGetItem',
  ],
  reconcile: [
    // Rows that wait for a pass that never came, and the pass that it puts for them.
    'Debounce/PASS#* dynamodb: PutItem Query',
    'Debounce/RECONCILED dynamodb: GetItem PutItem',
    'Debounce/TO#* dynamodb: Query',
    'Debounce/TX#* dynamodb: BatchGetItem UpdateItem',
    'Partners/PARTNER#* dynamodb: BatchGetItem',
    'Partners/PARTNERS dynamodb: Query',
    'Partners/STAGE dynamodb: BatchGetItem GetItem',
    'Transactions/index/changed dynamodb: Query',
  ],
  'rotate-keys': [
    'AccessKeys secretsmanager: DescribeSecret GetSecretValue PutSecretValue UpdateSecretVersionStage',
    'Partners/KEYS dynamodb: GetItem PutItem',
    'Pepper secretsmanager: DescribeSecret GetSecretValue PutSecretValue UpdateSecretVersionStage',
    'SessionKeys secretsmanager: DescribeSecret GetSecretValue PutSecretValue UpdateSecretVersionStage',
  ],
  'serve-docs': [],
  'sweep-expired': [
    'Debounce/TX#* dynamodb: DeleteItem',
    'Listing/a#* dynamodb: Query',
    'Listing/c#* dynamodb: UpdateItem',
    'Listing/seq dynamodb: GetItem UpdateItem',
    ...runs.map((run) => `Listing/${run} dynamodb: DeleteItem`),
    'Transactions dynamodb: BatchGetItem DeleteItem GetItem PutItem',
    'Transactions/index/changed dynamodb: Query',
  ],
  'v1-transaction': [
    ...writesOfListing,
    'Listing/s#* dynamodb: Query',
    'Partners/KEYS dynamodb: GetItem',
    'Partners/ORIGIN#* dynamodb: Query',
    'Partners/STAGE dynamodb: GetItem',
    'Requests/IDEM#* dynamodb: GetItem PutItem',
    'Requests/SEAL#V1 dynamodb: GetItem UpdateItem',
    'Requests/SESSION#* dynamodb: GetItem UpdateItem',
    'SessionKeys secretsmanager: GetSecretValue',
    'Transactions dynamodb: BatchGetItem GetItem PutItem',
  ],
  'v2-partner': [
    ...appends,
    'Debounce/LOG#* dynamodb: Query',
    'Debounce/PASS#* dynamodb: ConditionCheckItem PutItem',
    'Debounce/TO#* dynamodb: Query',
    'Debounce/TX#* dynamodb: Query',
    'DormantPublisherMessages sqs: SendMessage',
    'EndpointKeeperRequests sqs: SendMessage',
    'Partners/ESTATE#* dynamodb: Query',
    'Partners/KEYS dynamodb: GetItem',
    'Partners/PARTNER#* dynamodb: BatchGetItem GetItem UpdateItem',
    'Partners/STAGE dynamodb: BatchGetItem',
    'Partners/USE#* dynamodb: GetItem',
    'Partners/WEBHOOK#* dynamodb: UpdateItem',
    'Requests/IDEM#* dynamodb: GetItem PutItem',
    'Requests/RATE#* dynamodb: UpdateItem',
    'Requests/REVOKED#* dynamodb: GetItem',
    'Transactions dynamodb: BatchGetItem',
  ],
  'v2-read': [
    ...['a#*', 'c#*', 'e#*', ...valueRuns].map((run) => `Listing/${run} dynamodb: Query`),
    'Partners/ESTATE#* dynamodb: Query',
    'Partners/KEYS dynamodb: GetItem',
    'Partners/PARTNER#* dynamodb: GetItem',
    'Requests/RATE#* dynamodb: UpdateItem',
    'Requests/REVOKED#* dynamodb: GetItem',
    'Requests/SEAL#* dynamodb: GetItem UpdateItem',
    'Transactions dynamodb: BatchGetItem GetItem',
  ],
  'v2-write': [
    'Debounce/TX#* dynamodb: PutItem',
    'DormantPublisherMessages sqs: SendMessage',
    ...writesOfListing,
    'Partners/ESTATE#* dynamodb: Query',
    'Partners/KEYS dynamodb: GetItem',
    'Partners/PARTNER#* dynamodb: GetItem',
    'Requests/IDEM#* dynamodb: GetItem PutItem',
    'Requests/RATE#* dynamodb: UpdateItem',
    'Requests/REVOKED#* dynamodb: GetItem',
    'Transactions dynamodb: GetItem PutItem',
  ],
});

const tracing = '* xray: PutTelemetryRecords PutTraceSegments';
const ownLog = 'its own log logs: CreateLogStream PutLogEvents';
/** What every function may write: its own log, and traces where callers wait for it. */
const always = (name: string) => (asked.includes(name) ? [tracing, ownLog] : [ownLog]);

/** The functions of the two APIs. */
const asked = ['issue-token', 'serve-docs', 'v1-transaction', 'v2-partner', 'v2-read', 'v2-write'];

/** `Partners dynamodb: GetItem Query` as `Partners dynamodb:GetItem` and `Partners dynamodb:Query`. */
const singly = (line: string): string[] => {
  const [service = '', actions = ''] = line.split(': ');
  return actions.split(' ').map((action) => `${service}:${action}`);
};

const ofApis = '(issue-token|serve-docs|v1-transaction|v2-partner|v2-read|v2-write)';
const ofEvents = '(capture-change|publish-dormant|reconcile|collect-dead-letters)';

/** Who has any of such rights, `v2-read: Partners/KEYS dynamodb:GetItem`. */
const whoMay: [fact: string, right: string, names: string[]][] = [
  [
    'S-23 who signs access tokens reads their keys, and who makes those',
    ' AccessKeys .*:Get',
    ['issue-token', 'rotate-keys'],
  ],
  [
    'S-23 who signs sessions reads their keys, and who makes those',
    ' SessionKeys .*:Get',
    ['rotate-keys', 'v1-transaction'],
  ],
  [
    'S-23 who compares secrets reads the pepper, and who makes it',
    ' Pepper .*:Get',
    ['issue-token', 'rotate-keys'],
  ],
  [
    'S-66 keep-endpoints alone reads webhook signatures',
    ' Partners/WEBHOOK.*:(BatchGet|Get|Query)',
    ['keep-endpoints'],
  ],
  [
    'S-80 keep-endpoints alone works on rules, connections and destinations',
    ' (rule|connection|api-destination|events!)|PassRole',
    ['keep-endpoints'],
  ],
  ['S-80 publish-dormant alone puts events on the bus', ' events:PutEvents', ['publish-dormant']],
  ['S-80 no function of an API may do anything with the bus', `^${ofApis}: .* events:`, []],
  [
    'S-47 S-50 what asks the addresses of partners has no right but to its log',
    '^probe-endpoint: (?!its own log)',
    [],
  ],
  ['S-66 the token service alone reads hashes', ' Partners/HASHES.*:(BatchGet|Get|Query)', ['issue-token']],
  ['S-66 no function has all of a table of partitions', ' (Partners|Audit|Requests)( |/\\*)', []],
  [
    'S-80 S-81 where partners change their records, audit records are added',
    ' (Partners|Audit)/(AUDIT|DONE)',
    ['issue-token', 'v2-partner'],
  ],
  [
    'DR-2 S-27 S-81 an audit record is never read or changed',
    ' (Partners|Audit)/(AUDIT|DONE).*:(?!PutItem)',
    [],
  ],
  ['S-80 a checkout alone reads the runs of sessions', ' Listing/s.*:Query', ['v1-transaction']],
  ['S-80 a checkout reads no other run', '^v1-transaction: Listing/(?!s#).*:(Get|BatchGet|Query)', []],
  [
    'S-80 what is due is scheduled by who records changes alone',
    ' Debounce.*:UpdateItem',
    ['capture-change', 'reconcile'],
  ],
  [
    'S-80 payments put a marker, and never change one',
    '^v2-write: Debounce(/TX#\\* .*:(?!PutItem)|/(?!TX#))',
    [],
  ],
  [
    'S-80 passes are put by the sender, the reconciler, partners and who keeps their endpoints',
    ' Debounce/PASS#\\* .*:(Put|BatchWrite)',
    ['keep-endpoints', 'publish-dormant', 'reconcile', 'v2-partner'],
  ],
  [
    'S-80 TH-23 lines of the log are added by who sends and who collects dead letters',
    ' Debounce/LOG#\\* .*:(Put|BatchWrite|Update|Delete)',
    ['collect-dead-letters', 'publish-dormant'],
  ],
  [
    'S-80 a partner’s request writes no row, and reads those of its own and of transactions',
    '^v2-partner: Debounce/(TX|TO|LOG)#.*:(?!Query)',
    [],
  ],
  ['S-66 no function has all of the table of events', ' Debounce ', []],
  [
    'S-32 S-66 the token service alone writes the denylist',
    ' Requests/REVOKED.*:(Put|Update|Delete)',
    ['issue-token'],
  ],
  [
    'S-67 v2-read writes counts of requests and keys of cursors alone',
    '^v2-read: (?!Requests/(RATE|SEAL)).* dynamodb:(Put|Update|Delete)',
    [],
  ],
  [
    'S-67 no count of requests is read, and no record of a request removed',
    ' Requests/(RATE.*:Get|.*:Delete)',
    [],
  ],
  [
    'S-67 three functions put transactions',
    ' Transactions dynamodb:(Put|Update)',
    ['sweep-expired', 'v1-transaction', 'v2-write'],
  ],
  ['S-67 only the sweep removes transactions', ' Transactions dynamodb:Delete', ['sweep-expired']],
  [
    'S-67 three functions update partners',
    ' Partners/PARTNER.*:(Put|Update)',
    ['issue-token', 'keep-endpoints', 'v2-partner'],
  ],
  [
    'S-50 no function of events writes a transaction or a partner',
    `^${ofEvents}: (Transactions|Partners).*:(Put|Update|Delete)`,
    [],
  ],
  ['S-50 no function of events reads a secret', `^${ofEvents}: .*secretsmanager`, []],
];

type Statement = {
  Action: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
};
type Policy = { Roles: { Ref: string }[]; PolicyDocument: { Statement: Statement[] } };

describe.each(stageNames)('the rights of the functions of stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const table = expectedRights(stage);
  const names = Object.keys(table);
  const rightsOf = (name: string) => rightsIn(service, name);
  const rights = names.flatMap((name) => rightsOf(name).map((right) => `${name}: ${right}`));
  const functions = propertiesOf(service, 'AWS::Lambda::Function');
  const policies = propertiesOf(service, 'AWS::IAM::Policy') as Policy[];
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

  test('the table has a line for each function', () => {
    expect(names).toEqual(functions.map(({ Description }) => Description).sort());
  });

  test.each(Object.entries(table))(
    'S-50 S-66 S-67 %s has the rights of the table, and no others',
    (name, lines) => {
      expect(rightsOf(name)).toEqual([...lines, ...always(name)].flatMap(singly).sort());
    },
  );

  test.each(whoMay)('%s', (_, right, expected) => {
    const having = rights.filter((one) => new RegExp(right).test(one)).map((one) => one.split(':')[0]);

    expect([...new Set(having)]).toEqual(expected);
  });

  test('I17 only a function that sends to its own queue may do so without limit, because Lambda stops others', () => {
    const allowed = functions.filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow');
    const feeding = rights
      .filter((right) => right.endsWith(' sqs:SendMessage'))
      .filter((right) => rights.includes(right.replace('SendMessage', 'ReceiveMessage')));

    expect(new Set(feeding.map((right) => right.split(':')[0]))).toEqual(
      new Set(['keep-endpoints', 'publish-dormant']),
    );
    // keep-endpoints calls the probe in its own chain.
    expect(allowed.map(({ Description }) => Description).sort()).toEqual([
      ...['keep-endpoints', 'probe-endpoint', 'publish-dormant'],
    ]);
  });

  test('S-23 only the roles of these functions may read secrets, and the operator only the pepper', () => {
    const reading = Object.values(templatesOf(stage))
      .flatMap((template) => propertiesOf(template, 'AWS::IAM::Policy') as Policy[])
      .filter(({ PolicyDocument }) =>
        /secretsmanager:(\*|Get\*|GetSecretValue|BatchGet)/.test(JSON.stringify(PolicyDocument)),
      );
    const nameOf = (id: string) =>
      functions.find(({ Role }) => JSON.stringify(Role).includes(`"${id}"`))?.Description ?? id;
    const ofOperator = rightsOfRole(service, 'TransactionsOperator');

    expect(reading.flatMap(({ Roles }) => Roles.map(({ Ref }) => nameOf(Ref))).sort()).toEqual([
      ...['TransactionsOperator', 'issue-token', 'keep-endpoints', 'rotate-keys', 'v1-transaction'],
    ]);
    expect(ofOperator.filter((right) => right.endsWith('GetSecretValue'))).toEqual([
      'Pepper secretsmanager:GetSecretValue',
    ]);
    for (const template of Object.values(templatesOf(stage)))
      expect(propertiesOf(template, 'AWS::SecretsManager::ResourcePolicy')).toEqual([]);
  });

  test('S-47 the function that calls addresses of partners is in no VPC', () => {
    expect(functions.filter(({ VpcConfig }) => VpcConfig !== undefined)).toEqual([]);
  });

  test.each(partitionedTables)(
    'S-66 docs/rights.md shows which role may do what at which partition of the table %s',
    (table) => {
      expect(readFileSync(join(root, 'docs/rights.md'), 'utf8')).toContain(roleByPartition(table, rightsOf));
    },
  );

  test('S-66 S-80 a request that does not meet a condition of a right is refused', () => {
    const bound = statements.filter((one) => JSON.stringify(one).includes('dynamodb:LeadingKeys'));
    const boundTo = ({ Condition = {} }: Statement) =>
      Object.entries(Condition)
        .filter(([operator]) => operator.startsWith('ForAllValues:'))
        .flatMap(([, keys]) => Object.keys(keys));

    expect(bound.length).toBeGreaterThanOrEqual(24);
    expect(bound.map(({ Condition }) => Condition?.Null)).toEqual(
      bound.map((one) => Object.fromEntries(boundTo(one).map((key) => [key, 'false']))),
    );
  });

  test('S-80 functions update only the attributes of partners that they need', () => {
    const bound = statements.flatMap(({ Condition }) => {
      const attributes = Condition?.['ForAllValues:StringEquals']?.['dynamodb:Attributes'];
      return attributes ? [[attributes].flat().join(' ')] : [];
    });

    expect(bound).toEqual([
      ...['pk sk revokedAtMs', 'pk sk secrets', 'pk sk hashes'],
      ...['pk sk webhook', 'pk sk signature next', 'pk sk endpoint'],
    ]);
  });

  test('S-66 S-67 no function scans, and no action has a wildcard', () => {
    const actionsOf = (given: Policy[]) =>
      given.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action));
    const ofPeople = ['TransactionsOperator', 'TransactionsOnCall'];
    const ofFunctions = policies.filter(({ Roles }) => !ofPeople.includes(Roles[0]?.Ref ?? ''));

    expect(actionsOf(ofFunctions)).not.toContain('dynamodb:Scan');
    expect(actionsOf(policies).filter((action) => action.includes('*'))).toEqual([]);
  });
});
