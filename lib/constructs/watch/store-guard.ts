import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type EventPattern, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { acknowledge } from '../acknowledge.ts';
import type { Secrets } from '../stores/secrets.ts';
import type { AlarmName } from './alarm-catalogue.ts';
import { addAlarm, metricNamespace } from './alarms.ts';

type StoreGuardProps = { config: StageConfig; data: DataStack; topic: Topic };

/**
 * Rings when somebody disables the data's key, switches off the protection of tables (S-55, S-56), deletes signing keys or
 * ends their rotation (TOK-3), or stops the trail or these rules. No metric shows such calls, so rules match the calls that a
 * trail logs (`OwnTrail`).
 */
export class StoreGuard extends Construct {
  private readonly config: StageConfig;
  private readonly topic: Topic;

  constructor(scope: Construct, { config, data, topic }: StoreGuardProps) {
    super(scope, 'StoreGuard');
    this.config = config;
    this.topic = topic;
    const schedules = rulesOf(Stack.of(this));
    this.watchFor('key-in-danger', {
      source: ['aws.kms'],
      detail: {
        eventName: ['DisableKey', 'ScheduleKeyDeletion'],
        resources: { ARN: [data.encryptionKey.keyArn] },
      },
    });
    const tableName = tablesOf(config, data);
    this.watchFor('recovery-off', {
      source: ['aws.dynamodb'],
      detail: {
        $or: [
          recoveryOf(tableName, { pointInTimeRecoveryEnabled: [false] }),
          recoveryOf(tableName, { recoveryPeriodInDays: [{ numeric: ['<', recoveryDays] }] }),
          {
            eventName: ['UpdateTable'],
            requestParameters: { tableName, deletionProtectionEnabled: [false] },
          },
        ],
      },
    });
    this.watchFor('secret-in-danger', {
      source: ['aws.secretsmanager'],
      detail: { $or: [...takenAway(data.secrets), { eventName: ['RotationFailed', 'RotationAbandoned'] }] },
    });
    this.watchFor('watch-in-danger', {
      source: ['aws.cloudtrail', 'aws.events'],
      detail: { $or: [{ eventName: trailCalls }, ...changesOfRules([...schedules, ...guardNames(config)])] },
    });
  }

  private watchFor(name: (typeof guards)[number], pattern: EventPattern): void {
    const { config } = this;
    const rule = new Rule(this, name, {
      ruleName: guardNameOf(config, name),
      description: `Calls that the alarm ${name} reports (docs/alarms.md)`,
      eventPattern: { ...pattern, detailType: [...fromTrails] },
    });
    rule.addTarget({ bind: () => this.notification(name) });
    acknowledge(
      rule,
      'Serverless-EventBusDLQ',
      'The alarm counts each invocation, even one whose message the topic does not accept.',
    );
    addAlarm(rule, 'Rings', {
      ...{ config, name },
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'TriggeredRules',
        dimensionsMap: { RuleName: rule.ruleName },
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      bounds: { above: 0 },
    });
  }

  /**
   * Every rule has a target, since AWS does not document whether a rule without one counts as triggered. The target sends a
   * fixed sentence, since the call itself names people.
   */
  private notification(name: AlarmName) {
    const input = RuleTargetInput.fromText(
      `Somebody made a call that the alarm ${name} reports: see docs/alarms.md.`,
    );
    return { arn: this.topic.topicArn, input };
  }
}

/** Calls on any trail, since the account decides which trail logs the stage's calls. */
const trailCalls = ['StopLogging', 'DeleteTrail', 'UpdateTrail', 'PutEventSelectors'];

/** Names of their own, because CloudFormation shortens generated ones, and a pattern cannot refer to its own rule. */
const guardNameOf = (config: StageConfig, name: AlarmName) => `${metricNamespace(config)}-${name}`;

const guards = ['key-in-danger', 'recovery-off', 'secret-in-danger', 'watch-in-danger'] as const;

const guardNames = (config: StageConfig) => guards.map((name) => guardNameOf(config, name));

/** Names of the rules that a deployment has made so far: the schedules. `keep-endpoints` makes partners' rules. */
const rulesOf = (stack: Stack): string[] =>
  stack.node
    .findAll()
    .filter((child) => child instanceof Rule)
    .map(({ ruleName }) => ruleName);

const changesOfRules = (names: readonly string[]) => [
  { eventName: ['DisableRule', 'DeleteRule', 'PutRule'], requestParameters: { name: names } },
  { eventName: ['RemoveTargets'], requestParameters: { rule: names } },
];

/** Calls, and events of services, such as the result of a rotation. */
const fromTrails = ['AWS API Call via CloudTrail', 'AWS Service Event via CloudTrail'];

/** Secrets Manager uses both `arn` and `aRN` ("Match AWS Secrets Manager events with Amazon EventBridge"). */
const takenAway = ({ accessKeys, sessionKeys, pepper }: Secrets) =>
  ['arn', 'aRN'].map((name) => ({
    eventName: ['DeleteSecret', 'CancelRotateSecret'],
    responseElements: { [name]: [accessKeys, sessionKeys, pepper].map(({ secretArn }) => secretArn) },
  }));

/** DynamoDB's longest period, and its default. */
const recoveryDays = 35;

/**
 * Calls name a table or its ARN. The data stack's tables match by the stack's name: the names of all would exceed the 2,048
 * characters of a pattern.
 */
const tablesOf = ({ restoredTables = {} }: StageConfig, data: DataStack) => {
  const restored = Object.values(restoredTables).map(({ table }) => table);
  const arnOf = (resourceName: string) =>
    data.formatArn({ service: 'dynamodb', resource: 'table', resourceName });
  return [
    ...[`${data.stackName}-`, arnOf(`${data.stackName}-`)].map((prefix) => ({ prefix })),
    ...restored.flatMap((table) => [table, arnOf(table)]),
  ];
};

const recoveryOf = (tableName: unknown[], pointInTimeRecoverySpecification: object) => ({
  eventName: ['UpdateContinuousBackups'],
  requestParameters: { tableName, pointInTimeRecoverySpecification },
});
