import { CfnEventBus } from 'aws-cdk-lib/aws-events';
import {
  AnyPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Lazy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { accountInFindings, acknowledge } from '../acknowledge.ts';
import type { ServiceFunction } from '../service-function.ts';
import { createLastQueue } from '../service-queue.ts';

/** The partners' resources at the bus by kind, and the actions that keep-endpoints needs. */
const endpointActions = {
  rule: ['DeleteRule', 'DescribeRule', 'ListTargetsByRule', 'PutRule', 'RemoveTargets'],
  'api-destination': [
    ...['CreateApiDestination', 'DeleteApiDestination'],
    ...['DescribeApiDestination', 'UpdateApiDestination'],
  ],
  // To make or describe a destination needs a right to its connection as well (Service Authorization Reference).
  connection: [
    ...['CreateApiDestination', 'CreateConnection', 'DeleteConnection'],
    ...['DescribeApiDestination', 'DescribeConnection', 'UpdateConnection'],
  ],
} as const;

/** EventBridge keeps a connection's signature in a secret, with the caller's rights (AmazonEventBridgeFullAccess). */
const connectionSecretActions = [
  ...['CreateSecret', 'DeleteSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecret'],
];

/**
 * The stage's bus, with the queue for undelivered events and the role that calls endpoints. `keep-endpoints` makes the
 * partners' rules at run time, so no template names a partner.
 */
export class PartnerBus extends Construct {
  readonly name: string;
  readonly arn: string;
  readonly deadLetters: Queue;
  readonly deliveryRole: Role;
  private readonly config: StageConfig;
  private readonly publishers: string[] = [];

  constructor(scope: Construct, config: StageConfig, { encryptionKey }: DataStack) {
    super(scope, 'PartnerBus');
    this.config = config;
    this.deadLetters = createLastQueue(this, 'DeadLetters', { encryptionKey, why: lastReason });
    // The policy is a property of the bus, because emulators do not know the separate resource.
    const bus = new CfnEventBus(this, 'Bus', {
      name: busNameOf(config),
      kmsKeyIdentifier: encryptionKey.keyArn,
      deadLetterConfig: { arn: this.deadLetters.queueArn },
      policy: new PolicyDocument({ statements: [this.noOtherPublisher(), this.noOtherSource()] }),
    });
    this.name = bus.ref;
    this.arn = bus.attrArn;
    this.deadLetters.addToResourcePolicy(this.deadLettersOfThisBus());
    this.deliveryRole = this.createDeliveryRole();
  }

  /** PutEvents with this stage's source only (EV-8), and DescribeEventBus, since PutEvents does not report a missing bus. */
  admit(publisher: ServiceFunction): void {
    const { name, eventSource, eventTimes } = this.config;
    publisher
      .may(['events:PutEvents'], this.arn, {
        'ForAllValues:StringEquals': { 'events:source': eventSource },
        Null: { 'events:source': 'false' },
      })
      .may(['events:DescribeEventBus'], this.arn)
      .knows('EVENT_BUS', this.name)
      .knows('EVENT_SOURCE', eventSource)
      .knows('STAGE', name)
      .knows('DORMANCY_SECONDS', String(eventTimes.dormancySeconds));
    this.publishers.push(publisher.role.roleArn);
  }

  /** Lets `keep-endpoints`, and no other function, work on the rules, destinations and connections of partners (S-80). */
  grantEndpoints(keeper: ServiceFunction): void {
    const name = busNameOf(this.config);
    for (const [kind, actions] of Object.entries(endpointActions))
      this.grantByName(keeper, 'events', {
        name: `${kind}/${kind === 'rule' ? `${name}/` : ''}${name}-*`,
        actions,
      });
    this.grantByName(keeper, 'events', {
      name: `rule/${name}/${name}-*`,
      actions: ['PutTargets'],
      conditions: {
        'ForAllValues:ArnLike': { 'events:TargetArn': this.arnOf(`api-destination/${name}-*`) },
        Null: { 'events:TargetArn': 'false' },
      },
    });
    this.grantByName(keeper, 'secretsmanager', {
      name: `secret:events!connection/${name}-*`,
      actions: connectionSecretActions,
    });
    // Actions that list cannot be limited to a resource (Service Authorization Reference).
    keeper.may(['events:ListConnections'], '*');
    acknowledge(
      keeper.role,
      'AwsSolutions-IAM5[Resource::*]',
      'What belongs to a partner without a record is found by listing; the service knows no right to a part of a list.',
    );
    keeper.knows('EVENT_BUS', this.name);
  }

  /** Lets `keep-endpoints` hand the delivery role to targets, and name the queue for their dead letters. */
  grantDelivery(keeper: ServiceFunction): void {
    keeper
      .knows('DELIVERY_ROLE', this.deliveryRole.roleArn)
      .knows('DEAD_LETTER_QUEUE', this.deadLetters.queueArn)
      .may(['iam:PassRole'], this.deliveryRole.roleArn, {
        StringEquals: { 'iam:PassedToService': 'events.amazonaws.com' },
      });
  }

  private grantByName(
    keeper: ServiceFunction,
    service: 'events' | 'secretsmanager',
    { name, actions, conditions }: NamedRight,
  ): void {
    keeper.may(
      actions.map((action) => `${service}:${action}`),
      this.arnOf(name, service),
      conditions,
    );
    const place = `${this.config.region}:${accountInFindings(this.config)}`;
    const resource = `arn:<AWS::Partition>:${service}:${place}:${name}`;
    acknowledge(
      keeper.role,
      `AwsSolutions-IAM5[Resource::${resource}]`,
      'Partners come and go at run time; what belongs to them begins with the name of the stage.',
    );
  }

  /** Denies the bus to every other role, even with a right to put events (TH-17). */
  private noOtherPublisher(): PolicyStatement {
    return this.denied('OnlyOurPublishers', {
      ArnNotEquals: { 'aws:PrincipalArn': Lazy.list({ produce: () => this.publishers }) },
    });
  }

  /** Denies a whole request with any entry of another source. */
  private noOtherSource(): PolicyStatement {
    return this.denied('OnlyOurSource', {
      'ForAnyValue:StringNotEquals': { 'events:source': this.config.eventSource },
    });
  }

  private denied(sid: string, conditions: Record<string, unknown>): PolicyStatement {
    return new PolicyStatement({
      sid,
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['events:PutEvents'],
      // Not a reference to the bus, because the policy is part of it.
      resources: [this.arnOf(`event-bus/${busNameOf(this.config)}`)],
      conditions,
    });
  }

  private deadLettersOfThisBus(): PolicyStatement {
    return new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [this.deadLetters.queueArn],
      conditions: this.fromThisBus(),
    });
  }

  /** The conditions that limit a right to this bus and its rules. */
  private fromThisBus() {
    const rules = this.arnOf(`rule/${busNameOf(this.config)}/*`);
    return {
      StringEquals: { 'aws:SourceAccount': Stack.of(this).account },
      ArnLike: { 'aws:SourceArn': [rules, this.arn] },
    };
  }

  private createDeliveryRole(): Role {
    const role = new Role(this, 'DeliveryRole', {
      description: 'Calls the endpoints of partners',
      assumedBy: new ServicePrincipal('events.amazonaws.com', { conditions: this.fromThisBus() }),
    });
    const destinations = `api-destination/${busNameOf(this.config)}-*`;
    const place = `${this.config.region}:${accountInFindings(this.config)}`;
    role.addToPolicy(
      new PolicyStatement({
        actions: ['events:InvokeApiDestination'],
        resources: [this.arnOf(destinations)],
      }),
    );
    acknowledge(
      role,
      `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:events:${place}:${destinations}]`,
      'Partners come and go at run time; all destinations of this stage begin with its name.',
    );
    return role;
  }

  private arnOf(name: string, service = 'events'): string {
    const { account, region, partition } = Stack.of(this);
    return `arn:${partition}:${service}:${region}:${account}:${name}`;
  }
}

type NamedRight = { name: string; actions: readonly string[]; conditions?: Record<string, unknown> };

const lastReason = 'It is where lost deliveries end; collect-dead-letters reads them into the log of events.';
