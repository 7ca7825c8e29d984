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
    'Debounce/EV#* dynamodb: GetItem PutItem Query UpdateItem',
    'EndpointKeeperRequests sqs: SendMessage',
    'Partners/PARTNER#* dynamodb: BatchGetItem',
    'Partners/STAGE dynamodb: BatchGetItem',
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
    'Debounce/EV#* dynamodb: BatchGetItem GetItem UpdateItem',
    'Debounce/index/byPartner dynamodb: Query',
    'EndpointKeeperDelays sqs: DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
    'EndpointKeeperProbeEndpointFunction lambda: InvokeFunction',
    'EndpointKeeperRequests sqs: DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
    'PartnerBusDeliveryRole iam: PassRole',
    'Partners/PARTNER#* dynamodb: BatchGetItem GetItem UpdateItem',
    'Partners/PARTNERS dynamodb: Query',
    'Partners/STAGE dynamodb: BatchGetItem GetItem',
    'Partners/TURN dynamodb: GetItem PutItem',
    'Partners/WEBHOOK#* dynamodb: GetItem',
    'Transactions dynamodb: GetItem',
    `api-destination/transactions-${stage}-* events: CreateApiDestination DeleteApiDestination DescribeApiDestination UpdateApiDestination`,
    `connection/transactions-${stage}-* events: CreateApiDestination CreateConnection DeleteConnection DescribeApiDestination DescribeConnection UpdateConnection`,
    `rule/transactions-${stage}/transactions-${stage}-* events: DeleteRule DescribeRule ListTargetsByRule PutRule PutTargets RemoveTargets`,
    `events!connection/transactions-${stage}-* secretsmanager: CreateSecret DeleteSecret GetSecretValue PutSecretValue UpdateSecret`,
  ],
  'probe-endpoint': [],
  'publish-dormant': [
    'Debounce dynamodb: BatchGetItem GetItem PutItem Query UpdateItem',
    'Debounce/index/byTransaction dynamodb: Query',
    'Debounce/index/due dynamodb: Query',
    'DormantPublisherCompletions sqs: DeleteMessage GetQueueAttributes ReceiveMessage',
    'DormantPublisherShards sqs: DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
    'DormantPublisherTicks sqs: DeleteMessage GetQueueAttributes ReceiveMessage SendMessage',
    'PartnerBus events: DescribeEventBus PutEvents',
    'Partners/GRANT#* dynamodb: GetItem',
    'Partners/PARTNER#* dynamodb: BatchGetItem',
    'Partners/STAGE dynamodb: BatchGetItem',
    'Transactions dynamodb: BatchGetItem ConditionCheckItem GetItem',
  ],
  reconcile: [
    'Debounce/TX#* dynamodb: BatchGetItem UpdateItem',
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
    'EndpointKeeperRequests sqs: SendMessage',
    'Debounce/EV#* dynamodb: BatchGetItem GetItem PutItem Query UpdateItem',
    'Debounce/index/byPartner dynamodb: Query',
    'Debounce/index/byTransaction dynamodb: Query',
    'Partners/ESTATE#* dynamodb: Query',
    'Partners/KEYS dynamodb: GetItem',
    'Partners/PARTNER#* dynamodb: BatchGetItem GetItem UpdateItem',
    'Partners/STAGE dynamodb: BatchGetItem',
    'Partners/USE#* dynamodb: GetItem',
    'Partners/WEBHOOK#* dynamodb: UpdateItem',
    'Requests/IDEM#* dynamodb: GetItem PutItem',
    'Requests/RATE#* dynamodb: UpdateItem',
    'Requests/REVOKED#* dynamodb: GetItem',
    'Requests/SEAL#* dynamodb: GetItem UpdateItem',
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
    'DormantPublisherCompletions sqs: SendMessage',
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

const isSending = (right: string) => right.endsWith(' sqs:SendMessage');
const receivingOf = (sending: string) => sending.replace('SendMessage', 'ReceiveMessage');

/** `Partners dynamodb: GetItem Query` as `Partners dynamodb:GetItem` and `Partners dynamodb:Query`. */
const singly = (line: string): string[] => {
  const [service = '', actions = ''] = line.split(': ');
  return actions.split(' ').map((action) => `${service}:${action}`);
};

const ofPeople = ['TransactionsOperator', 'TransactionsOnCall'];

describe.each(stageNames)('the rights of the functions of stage %s', (stage) => {
  const { service } = templatesOf(stage);
  const table = expectedRights(stage);
  const names = Object.keys(table);
  const rightsOf = (name: string) => rightsIn(service, name);
  const functionsWith = (right: string) => names.filter((name) => rightsOf(name).includes(right));

  test('the table has a line for each function', () => {
    const found = propertiesOf(service, 'AWS::Lambda::Function').map(({ Description }) => Description);

    expect(names).toEqual(found.sort());
  });

  test.each(Object.entries(table))(
    'S-50 S-66 S-67 %s has the rights of the table, and no others',
    (name, lines) => {
      expect(rightsOf(name)).toEqual([...lines, ...always(name)].flatMap(singly).sort());
    },
  );

  test('I17 only a function that sends to the queue that calls it may do so for ever: Lambda stops others', () => {
    const functions = propertiesOf(service, 'AWS::Lambda::Function');
    const allowed = functions.filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow');
    const feeding = names.filter((name) =>
      rightsOf(name).some((right) => isSending(right) && rightsOf(name).includes(receivingOf(right))),
    );

    expect(feeding).toEqual(['keep-endpoints', 'publish-dormant']);
    // keep-endpoints calls the probe in its own chain.
    expect(allowed.map(({ Description }) => Description).sort()).toEqual([
      'keep-endpoints',
      'probe-endpoint',
      'publish-dormant',
    ]);
  });

  test('S-23 only the function that uses a private key or the pepper reads it, and the one that makes it', () => {
    expect(functionsWith('AccessKeys secretsmanager:GetSecretValue')).toEqual(['issue-token', 'rotate-keys']);
    expect(functionsWith('SessionKeys secretsmanager:GetSecretValue')).toEqual([
      'rotate-keys',
      'v1-transaction',
    ]);
    expect(functionsWith('Pepper secretsmanager:GetSecretValue')).toEqual(['issue-token', 'rotate-keys']);
  });

  test('S-23 no role but those of these functions may read any secret, and the operator the pepper alone', () => {
    const policies = Object.values(templatesOf(stage)).flatMap(
      (template) =>
        propertiesOf(template, 'AWS::IAM::Policy') as { Roles: { Ref: string }[]; PolicyDocument: object }[],
    );
    const reading = policies.filter(({ PolicyDocument }) =>
      /secretsmanager:(\*|Get\*|GetSecretValue|BatchGet)/.test(JSON.stringify(PolicyDocument)),
    );
    const functions = propertiesOf(service, 'AWS::Lambda::Function') as {
      Description: string;
      Role: { 'Fn::GetAtt': string[] };
    }[];
    const holders = reading
      .flatMap(({ Roles }) => Roles)
      .map(({ Ref }) => functions.find(({ Role }) => Role['Fn::GetAtt'][0] === Ref)?.Description ?? Ref);

    expect(holders.sort()).toEqual([
      'TransactionsOperator',
      'issue-token',
      'keep-endpoints',
      'rotate-keys',
      'v1-transaction',
    ]);
    const read = rightsOfRole(service, 'TransactionsOperator').filter((right) =>
      right.endsWith('GetSecretValue'),
    );
    expect(read).toEqual(['Pepper secretsmanager:GetSecretValue']);
    for (const template of Object.values(templatesOf(stage)))
      expect(propertiesOf(template, 'AWS::SecretsManager::ResourcePolicy')).toEqual([]);
  });

  test('S-66 S-80 keep-endpoints alone reads webhook signatures, and works on rules, connections and destinations', () => {
    const ofEndpoints = names.filter((name) =>
      rightsOf(name).some((right) => /^(rule|connection|api-destination|events!)|PassRole/.test(right)),
    );

    expect(functionsWith('Partners/WEBHOOK#* dynamodb:GetItem')).toEqual(['keep-endpoints']);
    expect(ofEndpoints).toEqual(['keep-endpoints']);
    expect(rightsOf('keep-endpoints').filter((right) => right.endsWith('PutEvents'))).toEqual([]);
  });

  test('S-47 S-50 what asks the addresses of partners has no right but to its log, and no variable of the stage', () => {
    const functions = propertiesOf(service, 'AWS::Lambda::Function') as {
      Description: string;
      VpcConfig?: unknown;
      Environment: { Variables: Record<string, string> };
    }[];
    const probe = functions.find(({ Description }) => Description === 'probe-endpoint');

    expect(rightsOf('probe-endpoint')).toEqual(singly(ownLog).sort());
    expect(probe?.VpcConfig).toBeUndefined();
    expect(Object.keys(probe?.Environment.Variables ?? {}).sort()).toEqual([
      'LOOPBACK_ENDPOINTS',
      'POWERTOOLS_LOG_LEVEL',
      'POWERTOOLS_METRICS_NAMESPACE',
    ]);
    for (const name of ['keep-endpoints', 'probe-endpoint'])
      expect(
        functions.find(({ Description }) => Description === name)?.Environment.Variables.LOOPBACK_ENDPOINTS,
      ).toBe(stage === 'local' ? 'allowed' : 'refused');
  });

  test('S-66 the token service alone reads hashes, and no function all of the Partners table', () => {
    expect(functionsWith('Partners/HASHES#* dynamodb:BatchGetItem')).toEqual(['issue-token']);
    const rights = names.flatMap(rightsOf);
    expect(rights.filter((right) => /^Partners /.test(right))).toEqual([]);
    expect(rights.filter((right) => /^(Partners|Audit)\/\*/.test(right))).toEqual([]);
  });

  test('DR-2 S-27 S-80 S-81 functions by which partners change their records read no signature and no audit record', () => {
    const rights = names.flatMap((name) => rightsOf(name).map((right) => `${name}: ${right}`));

    expect(
      rights.filter((right) => / Partners\/WEBHOOK| (Partners|Audit)\/(AUDIT|DONE)/.test(right)),
    ).toEqual([
      ...['issue-token: Audit/AUDIT#* dynamodb:PutItem', 'issue-token: Audit/DONE#* dynamodb:PutItem'],
      'issue-token: Partners/AUDIT#* dynamodb:PutItem',
      'keep-endpoints: Partners/WEBHOOK#* dynamodb:GetItem',
      ...['v2-partner: Audit/AUDIT#* dynamodb:PutItem', 'v2-partner: Audit/DONE#* dynamodb:PutItem'],
      'v2-partner: Partners/AUDIT#* dynamodb:PutItem',
      'v2-partner: Partners/WEBHOOK#* dynamodb:UpdateItem',
    ]);
  });

  test.each(partitionedTables)(
    'S-66 docs/rights.md shows which role may do what at which partition of the table %s',
    (table) => {
      expect(readFileSync(join(root, 'docs/rights.md'), 'utf8')).toContain(roleByPartition(table, rightsOf));
    },
  );

  test('S-80 a checkout reads the runs of its sessions alone, and no partner reads those', () => {
    expect(functionsWith('Listing/s#* dynamodb:Query')).toEqual(['v1-transaction']);
    expect(
      rightsOf('v1-transaction').filter((right) => /^Listing.*:(Get|BatchGet|Query)/.test(right)),
    ).toEqual(['Listing/s#* dynamodb:Query']);
  });

  test('S-80 one function alone puts events on the bus, and no function of an API may do anything with it', () => {
    expect(
      names.filter((name) => rightsOf(name).some((right) => right.endsWith('events:PutEvents'))),
    ).toEqual(['publish-dormant']);
    expect(asked.flatMap(rightsOf).filter((right) => right.includes(' events:'))).toEqual([]);
  });

  test('S-80 what is due is scheduled by the functions of events alone; payments put a marker, and never change one', () => {
    expect(functionsWith('Debounce/TX#* dynamodb:UpdateItem')).toEqual(['capture-change', 'reconcile']);
    expect(functionsWith('Debounce/TX#* dynamodb:PutItem')).toEqual(['v2-write']);
    expect(functionsWith('Debounce dynamodb:UpdateItem')).toEqual(['publish-dormant']);
  });

  test('S-66 S-32 the token service alone writes the denylist, and no function all of the Requests table', () => {
    expect(functionsWith('Requests/REVOKED#* dynamodb:PutItem')).toEqual(['issue-token']);
    expect(names.flatMap(rightsOf).filter((right) => /^Requests( |\/\*)/.test(right))).toEqual([]);
  });

  test('S-66 S-80 a request that lacks what a right is bound to is not allowed', () => {
    const policies = propertiesOf(service, 'AWS::IAM::Policy') as {
      PolicyDocument: { Statement: { Condition?: Record<string, Record<string, unknown>> }[] };
    }[];
    const bound = policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter((one) => JSON.stringify(one).includes('dynamodb:LeadingKeys'));
    const boundTo = ({ Condition = {} }: (typeof bound)[number]) =>
      Object.entries(Condition)
        .filter(([operator]) => operator.startsWith('ForAllValues:'))
        .flatMap(([, keys]) => Object.keys(keys));

    expect(bound.length).toBeGreaterThanOrEqual(24);
    expect(bound.map(({ Condition }) => Condition?.Null)).toEqual(
      bound.map((one) => Object.fromEntries(boundTo(one).map((key) => [key, 'false']))),
    );
  });

  test('S-80 of what partners have, functions update what they are for, attribute by attribute', () => {
    const policies = propertiesOf(service, 'AWS::IAM::Policy') as {
      PolicyDocument: { Statement: { Condition?: { 'ForAllValues:StringEquals'?: object } }[] };
    }[];
    const bound = policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .flatMap(({ Condition }) => Condition?.['ForAllValues:StringEquals'] ?? [])
      .filter((keys) => 'dynamodb:Attributes' in keys);

    expect(bound).toEqual([
      { 'dynamodb:Attributes': ['pk', 'sk', 'revokedAtMs'] },
      { 'dynamodb:Attributes': ['pk', 'sk', 'secrets'] },
      { 'dynamodb:Attributes': ['pk', 'sk', 'hashes'] },
      { 'dynamodb:Attributes': ['pk', 'sk', 'webhook'] },
      { 'dynamodb:Attributes': ['pk', 'sk', 'signature', 'next'] },
      { 'dynamodb:Attributes': ['pk', 'sk', 'endpoint'] },
    ]);
  });

  test('S-67 v2-read writes nothing but the counts of requests and the keys of cursors', () => {
    const writes = rightsOf('v2-read').filter((right) => /dynamodb:(Put|Update|Delete)/.test(right));

    expect(writes).toEqual(['Requests/RATE#* dynamodb:UpdateItem', 'Requests/SEAL#* dynamodb:UpdateItem']);
    expect(functionsWith('Requests/RATE#* dynamodb:UpdateItem')).toEqual([
      'issue-token',
      'v2-partner',
      'v2-read',
      'v2-write',
    ]);
    expect(functionsWith('Requests/RATE#* dynamodb:GetItem')).toEqual([]);
  });

  test('S-67 three functions put transactions, only the sweep removes any, and two update partners', () => {
    expect(functionsWith('Transactions dynamodb:PutItem')).toEqual([
      'sweep-expired',
      'v1-transaction',
      'v2-write',
    ]);
    expect(functionsWith('Transactions dynamodb:UpdateItem')).toEqual([]);
    expect(functionsWith('Transactions dynamodb:DeleteItem')).toEqual(['sweep-expired']);
    expect(functionsWith('Listing/c#* dynamodb:UpdateItem')).toEqual([
      'sweep-expired',
      'v1-transaction',
      'v2-write',
    ]);
    expect(functionsWith('Requests/IDEM#* dynamodb:PutItem')).toEqual([
      'issue-token',
      'v1-transaction',
      'v2-partner',
      'v2-write',
    ]);
    expect(names.flatMap(rightsOf).filter((right) => /^Requests.*:DeleteItem/.test(right))).toEqual([]);
    expect(functionsWith('Partners/PARTNER#* dynamodb:UpdateItem')).toEqual([
      'issue-token',
      'keep-endpoints',
      'v2-partner',
    ]);
  });

  test('S-50 no function of the events writes a transaction or a partner, or reads a secret', () => {
    const rights = ['capture-change', 'publish-dormant', 'reconcile', 'collect-dead-letters'].flatMap(
      rightsOf,
    );

    expect(
      rights.filter((right) => /^(Transactions|Partners)\S* dynamodb:(Put|Update|Delete)/.test(right)),
    ).toEqual([]);
    expect(rights.filter((right) => right.includes('secretsmanager'))).toEqual([]);
  });

  test('S-66 S-67 no function scans, and no action has a wildcard', () => {
    const policies = propertiesOf(service, 'AWS::IAM::Policy') as {
      Roles: { Ref: string }[];
      PolicyDocument: { Statement: { Action: string | string[] }[] };
    }[];
    const actionsOf = (given: typeof policies) =>
      given.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(({ Action }) => Action));
    const ofFunctions = policies.filter(({ Roles }) => !ofPeople.includes(Roles[0]?.Ref ?? ''));

    expect(actionsOf(ofFunctions).filter((action) => action === 'dynamodb:Scan')).toEqual([]);
    expect(actionsOf(policies).filter((action) => action.includes('*'))).toEqual([]);
  });
});
