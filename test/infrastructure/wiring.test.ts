import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { type TableId, tableIds } from '../../lib/tables.ts';
import {
  arn,
  busName,
  functionNames,
  functions,
  type QueueName,
  type QueueWiring,
  queues,
  queueUrl,
  reportVariables,
  routes,
  schedules,
  secretArn,
  secrets,
  stream,
  variablesAt,
} from '../../localstack/embedded/wiring.ts';
import { createResolver } from '../support/engine/resolved.ts';
import { resourcesOf, templatesOf } from '../support/engine/templates.ts';

/** Resources that the embedded stage does not need, because … */
const typesWithoutEffect: Record<string, string> = {
  'AWS::ApiGateway::Account': 'it allows API Gateway to write logs',
  'AWS::ApiGateway::BasePathMapping': 'both APIs have one loopback address',
  'AWS::ApiGateway::Deployment': 'a start deploys all routes',
  'AWS::ApiGateway::DomainName': 'both APIs have one loopback address',
  'AWS::ApiGateway::GatewayResponse': 'the gateway here answers from the list of which they are made',
  'AWS::Budgets::Budget': 'it costs nothing',
  'AWS::CloudTrail::Trail': 'nobody keeps a trail of calls',
  'AWS::CloudWatch::Alarm': 'there are no alarms',
  'AWS::CloudWatch::Dashboard': 'there are no metrics',
  'AWS::CodeDeploy::Application': 'a start runs one version',
  'AWS::CodeDeploy::DeploymentGroup': 'a start runs one version',
  'AWS::DynamoDB::Table': 'the stage makes its tables from lib/tables.ts, as the template does',
  'AWS::Events::Rule with a pattern':
    'it alarms about calls of people, and partners have rules of keep-endpoints',
  'AWS::IAM::ManagedPolicy':
    'rights are not enforced, and test/service/rights.test.ts compares them with requests',
  'AWS::IAM::Policy': 'rights are not enforced, and test/service/rights.test.ts compares them with requests',
  'AWS::IAM::Role': 'rights are not enforced, and test/service/rights.test.ts compares them with requests',
  'AWS::KMS::Key': 'nothing is encrypted',
  'AWS::Lambda::Alias': 'a start runs one version',
  'AWS::Lambda::Permission': 'rights are not enforced',
  'AWS::Lambda::Version': 'a start runs one version',
  'AWS::Logs::LogGroup': 'lines go to one file',
  'AWS::Logs::MetricFilter': 'there are no alarms',
  'AWS::Route53::RecordSet': 'both APIs have one loopback address',
  'AWS::S3::Bucket': 'it holds the trail of calls',
  'AWS::S3::BucketPolicy': 'it holds the trail of calls',
  'AWS::SNS::Subscription': 'there are no alarms',
  'AWS::SNS::Topic': 'there are no alarms',
  'AWS::SNS::TopicPolicy': 'there are no alarms',
  'AWS::SQS::QueuePolicy': 'rights are not enforced, and messages do not leave the process',
  'AWS::WAFv2::WebACL': 'only programs of this machine call, and there is no firewall',
  'AWS::WAFv2::WebACLAssociation': 'only programs of this machine call, and there is no firewall',
};

/** Properties of the other resources that have no effect in the embedded stage, because … */
const withoutEffect: Record<string, Record<string, string>> = {
  'AWS::ApiGateway::Method': {},
  'AWS::ApiGateway::Resource': {},
  'AWS::ApiGateway::RestApi': {
    Description: 'people read it',
    DisableExecuteApiEndpoint: 'both APIs have one loopback address',
    EndpointAccessMode: 'both APIs have one loopback address',
    EndpointConfiguration: 'both APIs have one loopback address',
    MinimumCompressionSize: 'the gateway here compresses no answer',
    Name: 'people read it',
    SecurityPolicy: 'loopback has no TLS',
  },
  'AWS::ApiGateway::Stage': {
    AccessLogSetting: 'there is no access log',
    DeploymentId: 'a start deploys all routes',
    MethodSettings: 'the gateway here has no log and no throttle',
    TracingEnabled: 'there are no traces',
  },
  'AWS::Events::EventBus': {
    DeadLetterConfig: 'it is for events that the bus cannot encrypt, and nothing is encrypted',
    KmsKeyIdentifier: 'nothing is encrypted',
    Policy: 'rights are not enforced',
  },
  'AWS::Events::Rule': {},
  'AWS::Lambda::EventInvokeConfig': {},
  'AWS::Lambda::EventSourceMapping': {},
  'AWS::Lambda::Function': {
    Architectures: 'functions run on this machine',
    Code: 'functions run from their sources, and bundles.test.ts runs each bundle',
    Handler: 'functions run from their sources, and bundles.test.ts runs each bundle',
    LoggingConfig: 'lines go to one file',
    MemorySize: 'all functions have the memory of one process',
    RecursiveLoop: 'nothing stops a function that calls itself',
    ReservedConcurrentExecutions: 'the wiring bounds the instances of each function',
    Role: 'rights are not enforced, and test/service/rights.test.ts compares them with requests',
    Runtime: 'packaged-node.test.ts keeps the version that npm scripts run',
    TracingConfig: 'there are no traces',
  },
  'AWS::SQS::Queue': {
    KmsDataKeyReusePeriodSeconds: 'nothing is encrypted',
    KmsMasterKeyId: 'nothing is encrypted',
  },
  'AWS::SecretsManager::RotationSchedule': {},
  'AWS::SecretsManager::Secret': {
    Description: 'people read it',
    KmsKeyId: 'nothing is encrypted',
  },
  'Custom::SigningKeys': {
    ServiceTimeout: 'a function has its own timeout',
    kinds: 'it makes CloudFormation call the function again at a deployment, and each start calls it',
  },
};

/** Variables whose values deployed stages have for themselves. In the local stage they are compared. */
const ofDeployedStages: Record<string, string> = {
  API_AUDIENCE: 'its own address',
  AUTH_URL: 'its own address',
  BASE_URL: 'its own address',
  ENDPOINT_EFFECT_SECONDS: 'EventBridge takes a minute until a new target gets events',
  EVENT_SOURCE: 'it names the stage',
  INCOMPLETE_DAYS: 'two moves of the clock here, 400 days there',
  LOOPBACK_ENDPOINTS: 'partners on this machine get events here only',
  PARTNER_REQUESTS_PER_MINUTE: 'tests and demos use one partner',
  POWERTOOLS_LOG_LEVEL: 'production logs less',
  POWERTOOLS_METRICS_NAMESPACE: 'it names the stage',
  STAGE: 'it names the stage',
};

const queueIds: Record<QueueName, string> = {
  publish: 'DormantPublisherMessages',
  'shards.fifo': 'DormantPublisherShards',
  endpoints: 'EndpointKeeperRequests',
  'dead-letters': 'PartnerBusDeadLetters',
  'given-up': 'ChangeCaptureGivenUp',
};
const queueNames = Object.keys(queueIds) as QueueName[];
const awsUrl = 'http://aws';
const fromIds = (value: (name: QueueName) => string) =>
  Object.fromEntries(queueNames.map((name) => [queueIds[name], value(name)]));

/** What the template's references mean in the embedded stage. */
const names = {
  ref: {
    TokenApi: 'tokens',
    TransactionsApi: 'transactions',
    PartnerBus: busName,
    ...fromIds((name) => queueUrl(awsUrl, name)),
    ...Object.fromEntries(tableIds.map((id) => [id, `table ${id}`])),
    ...Object.fromEntries(
      (['AccessKeys', 'SessionKeys', 'Pepper'] as const).map((id) => [id, secretArn(id)]),
    ),
  },
  arn: {
    ...fromIds((name) => arn('sqs', name)),
    TransactionsStream: `the stream of ${stream.table}`,
    DataKey: arn('kms', 'key/data'),
    PartnerBusDeliveryRole: arn('iam', 'role/delivery'),
  },
};

const variables: Record<string, string> = {
  ...reportVariables,
  ...variablesAt({
    ...{ baseUrl: 'http://127.0.0.1:8787', awsUrl, dormancySeconds: 120, tickSeconds: 10 },
    tableNames: Object.fromEntries(tableIds.map((id) => [id, `table ${id}`])) as Record<TableId, string>,
  }),
};

/** `rate(10 minutes)`. */
const rateOf = (seconds: number) => {
  const [unit = '', long = 1] = Object.entries({ day: 86_400, hour: 3_600, minute: 60 }).find(
    ([, length]) => seconds % length === 0,
  ) ?? ['second'];
  const count = seconds / long;
  return `rate(${count} ${unit}${count === 1 ? '' : 's'})`;
};

type Rows = Record<string, unknown>[];
/** By their properties, in the order of names. */
const inOrder = (rows: Rows) => {
  const text = (row: object) => JSON.stringify(Object.entries(row).sort());
  return rows.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
};

describe.each(stageNames)('the wiring of the embedded stage and the template of %s', (stage) => {
  const { data, service } = templatesOf(stage);
  const resolve = createResolver(service, names);
  const types = [data, service].flatMap(({ Resources }) =>
    Object.values(Resources).map(({ Type, Properties }) =>
      Properties?.EventPattern ? `${Type} with a pattern` : Type,
    ),
  );

  /** The resources of a type, with the wiring's names and without the properties of the list. */
  const described = (type: string): Record<string, Record<string, unknown>> =>
    Object.fromEntries(
      [data, service]
        .flatMap((template) => Object.entries(resourcesOf(template, type)))
        .filter(([, { Properties }]) => !Properties?.EventPattern)
        .map(([id, { Properties }]) => [
          id,
          resolve(
            Object.fromEntries(
              Object.entries(Properties).filter(([name]) => !(name in (withoutEffect[type] ?? {}))),
            ),
          ) as Record<string, unknown>,
        ]),
    );
  const rowsOf = (type: string): Rows => inOrder(Object.values(described(type)));

  test('RUN-20 no type of resource is neither compared nor said to have no effect', () => {
    const known = new Set([...Object.keys(withoutEffect), ...Object.keys(typesWithoutEffect)]);

    expect(types.filter((type) => !known.has(type))).toEqual([]);
  });

  test('RUN-20 routes have the same methods and the same functions', () => {
    expect(rowsOf('AWS::ApiGateway::Method')).toEqual(
      inOrder(
        routes.flatMap(({ api, path, name, methods = ['ANY'] }) =>
          methods.map((HttpMethod) => ({
            ...{ AuthorizationType: 'NONE', HttpMethod, RestApiId: api, ResourceId: path },
            Integration: {
              ...{ IntegrationHttpMethod: 'POST', Type: 'AWS_PROXY' },
              Uri: `arn:aws:apigateway:eu-west-2:lambda:path/2015-03-31/functions/arn:${name}/invocations`,
            },
          })),
        ),
      ),
    );
    const paths = new Set(
      routes.flatMap(({ api, path }) =>
        path
          .split('/')
          .flatMap((_, at, parts) => (at === 0 ? [] : [`${api} ${parts.slice(0, at + 1).join('/')}`])),
      ),
    );
    expect(rowsOf('AWS::ApiGateway::Resource')).toEqual(
      inOrder(
        [...paths].map((place) => {
          const [, RestApiId, ParentId, PathPart] = /^(\w+) (.*)\/(.*)$/.exec(place) ?? [];
          return { ParentId, PathPart, RestApiId };
        }),
      ),
    );
    expect(rowsOf('AWS::ApiGateway::RestApi')).toEqual([{}, {}]);
    expect(rowsOf('AWS::ApiGateway::Stage')).toEqual([
      { RestApiId: 'tokens', StageName: stage },
      { RestApiId: 'transactions', StageName: stage },
    ]);
  });

  test('RUN-20 a function has the same time and the same variables, with the same values where these do not belong to the stage', () => {
    const shown = (given: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          name,
          stage !== 'local' && name in ofDeployedStages ? 'its own' : value,
        ]),
      );

    const found = rowsOf('AWS::Lambda::Function').map(({ Environment, ...rest }) => {
      const { Variables, ...others } = Environment as { Variables: Record<string, unknown> };
      return { ...rest, Environment: { ...others, Variables: shown(Variables) } };
    });

    expect(found).toEqual(
      inOrder(
        functionNames.map((Description) => {
          const given = Object.keys(reportVariables).concat(functions[Description].variables);
          const ofWiring = Object.fromEntries(given.map((name) => [name, variables[name]]));
          return {
            ...{ Description, Timeout: functions[Description].timeoutSeconds },
            Environment: { Variables: shown(ofWiring) },
          };
        }),
      ),
    );
  });

  const sources = described('AWS::Lambda::EventSourceMapping');
  // With what CloudFormation takes for absent properties.
  const sourcesOf = (EventSourceArn: string) =>
    Object.values(sources)
      .filter((source) => source.EventSourceArn === EventSourceArn)
      .map((source) => ({ MaximumBatchingWindowInSeconds: 0, ...source }));
  const queueOf = (name: QueueName) => {
    const all = described('AWS::SQS::Queue');
    const id = Object.keys(all).find((one) => one.startsWith(queueIds[name])) ?? '';
    return { VisibilityTimeout: 30, ...all[id] };
  };
  // How many workers there may be at once, no fewer than Lambda allows.
  const workers = { local: 2, staging: 4, production: 8 }[stage];

  test.each<[string, QueueName]>([
    [
      'I17 EV-16 EV-20 I18 polls, completions and tests call publish-dormant, those that come together in one run; what fails comes again when the lease of its row has ended',
      'publish',
    ],
    [
      'I23 EV-24 due shards call publish-dormant by a FIFO queue of their own: a message a worker, so many at once',
      'shards.fifo',
    ],
    ['EV-21 requests call keep-endpoints one by one; what fails comes again', 'endpoints'],
    [
      'S-42 S-69 what the bus did not deliver calls collect-dead-letters, which reports the messages that failed, and is kept for 14 days',
      'dead-letters',
    ],
    ['S-69 what capture-change gave up calls nothing, and is kept for 14 days', 'given-up'],
  ])('RUN-20 %s', (_, name) => {
    const { visibilitySeconds, retentionSeconds, calls }: QueueWiring = queues[name];

    expect(queueOf(name)).toEqual({
      ...{ VisibilityTimeout: visibilitySeconds, MessageRetentionPeriod: retentionSeconds },
      ...(name.endsWith('.fifo') && { FifoQueue: true }),
    });
    expect(sourcesOf(arn('sqs', name))).toEqual(
      calls
        ? [
            {
              ...{ FunctionName: calls.name, EventSourceArn: arn('sqs', name), BatchSize: calls.batchSize },
              ScalingConfig: {
                MaximumConcurrency:
                  name === 'shards.fifo' && stage !== 'local' ? workers : calls.maximumConcurrency,
              },
              // localstack/embedded/sources.ts waits for no more messages.
              MaximumBatchingWindowInSeconds: 0,
              ...(calls.reportsItemFailures && { FunctionResponseTypes: ['ReportBatchItemFailures'] }),
            },
          ]
        : [],
    );
  });

  test('S-69 RUN-20 the stream calls capture-change: from its start, without delay, in halves after a failure, which ends in a queue', () => {
    expect(sourcesOf(`the stream of ${stream.table}`)).toEqual([
      {
        ...{ FunctionName: stream.name, EventSourceArn: `the stream of ${stream.table}` },
        ...{ BatchSize: stream.batchSize, MaximumRetryAttempts: stream.maximumRetryAttempts },
        MaximumRecordAgeInSeconds: stream.maximumRecordAgeSeconds,
        FilterCriteria: { Filters: [{ Pattern: JSON.stringify(stream.pattern) }] },
        DestinationConfig: { OnFailure: { Destination: arn('sqs', stream.onFailure) } },
        // localstack/embedded/stream.ts knows nothing else.
        ...{ StartingPosition: 'TRIM_HORIZON', ParallelizationFactor: 1, MaximumBatchingWindowInSeconds: 0 },
        ...{ BisectBatchOnFunctionError: true, FunctionResponseTypes: ['ReportBatchItemFailures'] },
      },
    ]);
  });

  test('RUN-20 there is no other queue and no other event source', () => {
    expect(rowsOf('AWS::SQS::Queue')).toHaveLength(queueNames.length);
    expect(Object.keys(sources)).toHaveLength(5);
  });

  test('interface 6.1 V1-8 S-66 I17 RUN-20 schedules are the same, each with one function and no role; what fails is not retried, and expires after 60 s', () => {
    expect(rowsOf('AWS::Events::Rule')).toEqual(
      inOrder(
        schedules.map(({ name, everySeconds, input }) => ({
          ...{ ScheduleExpression: rateOf(everySeconds), State: 'ENABLED' },
          Targets: [
            {
              ...{ Id: 'Target0', Arn: `arn:${name}`, Input: JSON.stringify(input) },
              RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
            },
          ],
        })),
      ),
    );
  });

  test('I17 RUN-20 Lambda does not retry it either, as it would twice in six hours: each function of a schedule', () => {
    expect(rowsOf('AWS::Lambda::EventInvokeConfig')).toEqual(
      inOrder(
        [...new Set(schedules.map(({ name }) => name))].map((FunctionName) => ({
          ...{ FunctionName, Qualifier: '$LATEST' },
          ...{ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
        })),
      ),
    );
  });

  test('RUN-20 secrets and bus are the same; rotate-keys rotates them, by a calendar in production only', () => {
    const ids = Object.keys(secrets) as (keyof typeof secrets)[];
    const days = { AccessKeys: 90, SessionKeys: 90, Pepper: 365 };

    expect(described('AWS::SecretsManager::Secret')).toEqual(
      Object.fromEntries(
        Object.entries<{ generatedLength?: number }>(secrets).map(([id, { generatedLength }]) => [
          id,
          generatedLength === undefined
            ? {}
            : { GenerateSecretString: { PasswordLength: generatedLength, ExcludePunctuation: true } },
        ]),
      ),
    );
    expect(rowsOf('AWS::SecretsManager::RotationSchedule')).toEqual(
      inOrder(
        ids.map((id) => ({
          ...{ RotateImmediatelyOnUpdate: false, RotationLambdaARN: 'arn:rotate-keys' },
          ...(stage === 'production' && { RotationRules: { AutomaticallyAfterDays: days[id] } }),
          SecretId: secretArn(id),
        })),
      ),
    );
    expect(rowsOf('Custom::SigningKeys')).toEqual([{ ServiceToken: 'arn:rotate-keys' }]);
    expect(rowsOf('AWS::Events::EventBus')).toEqual([{ Name: busName.replace('local', stage) }]);
  });
});

test('RUN-20 a reason why something has no effect is for something that a template has', () => {
  const all = stageNames.flatMap((stage) =>
    Object.values(templatesOf(stage)).flatMap(({ Resources }) => Object.values(Resources)),
  );
  const typeOf = ({ Type, Properties }: (typeof all)[number]) =>
    Properties?.EventPattern ? `${Type} with a pattern` : Type;
  const found = new Set(
    all.flatMap((one) => [
      typeOf(one),
      ...Object.keys(one.Properties ?? {}).map((name) => `${one.Type} ${name}`),
    ]),
  );
  const properties = Object.entries(withoutEffect).flatMap(([type, listed]) =>
    Object.keys(listed).map((name) => `${type} ${name}`),
  );

  expect([...Object.keys(typesWithoutEffect), ...properties].filter((one) => !found.has(one))).toEqual([]);
});
