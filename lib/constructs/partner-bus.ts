import { Lazy, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { AnyPrincipal, Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { acknowledge } from './acknowledge.ts';
import { type ServiceFunction, seconds } from './service-function.ts';
import { createLastQueue } from './service-queue.ts';

/**
 * The stage's own bus, and what the operator's tool needs for each partner's rule: the queue for what is not delivered, and
 * the role that calls endpoints. Partners are data: none of them is in a template (events 7).
 */
export class PartnerBus extends Construct {
  readonly bus: EventBus;
  readonly deadLetters: Queue;
  readonly deliveryRole: Role;
  private readonly config: StageConfig;
  private readonly publishers: string[] = [];

  constructor(scope: Construct, config: StageConfig, { encryptionKey }: DataStack) {
    super(scope, 'PartnerBus');
    this.config = config;
    this.deadLetters = createLastQueue(this, 'DeadLetters', encryptionKey, lastReason);
    this.bus = new EventBus(this, 'Bus', {
      eventBusName: busNameOf(config),
      // As a reference: the key's whole policy is in the data stack (data-key.ts).
      kmsKey: Key.fromKeyArn(this, 'Key', encryptionKey.keyArn),
      deadLetterQueue: this.deadLetters,
    });
    this.deadLetters.addToResourcePolicy(this.deadLettersOfThisBus());
    this.bus.addToResourcePolicy(this.noOtherPublisher());
    this.bus.addToResourcePolicy(this.noOtherSource());
    this.deliveryRole = this.createDeliveryRole();
  }

  /** A function that tells partners: with this stage's source and nobody else's (EV-8, TH-17, TH-18). */
  admit(publisher: ServiceFunction): void {
    const { name, eventSource, eventTimes } = this.config;
    const { dormancySeconds, maxHoldSeconds } = eventTimes;
    publisher
      .publishes('EVENT_BUS', this.bus, eventSource)
      .knows('EVENT_SOURCE', eventSource)
      .knows('STAGE', name)
      .knows('DORMANCY_SECONDS', seconds(dormancySeconds))
      .knows('MAX_HOLD_SECONDS', seconds(maxHoldSeconds));
    this.publishers.push(publisher.role.roleArn);
  }

  /** Whoever else in the account has a right to put events may not do so here (TH-17). */
  private noOtherPublisher(): PolicyStatement {
    return this.denied('OnlyOurPublishers', {
      ArnNotEquals: { 'aws:PrincipalArn': Lazy.list({ produce: () => this.publishers }) },
    });
  }

  /** One request may have entries of several sources: any other is enough. */
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
      resources: [this.bus.eventBusArn],
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

  /** What the bus itself does, and what it does for its rules. */
  private fromThisBus() {
    const { account, region, partition } = Stack.of(this);
    const rules = `arn:${partition}:events:${region}:${account}:rule/${busNameOf(this.config)}/*`;
    return {
      StringEquals: { 'aws:SourceAccount': account },
      ArnLike: { 'aws:SourceArn': [rules, this.bus.eventBusArn] },
    };
  }

  private createDeliveryRole(): Role {
    const { account, region, partition } = Stack.of(this);
    const role = new Role(this, 'DeliveryRole', {
      description: 'Calls the endpoints of partners',
      assumedBy: new ServicePrincipal('events.amazonaws.com', { conditions: this.fromThisBus() }),
    });
    const destinations = `api-destination/${busNameOf(this.config)}-*`;
    role.addToPolicy(
      new PolicyStatement({
        actions: ['events:InvokeApiDestination'],
        resources: [`arn:${partition}:events:${region}:${account}:${destinations}`],
      }),
    );
    acknowledge(
      role,
      `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:events:${region}:<AWS::AccountId>:${destinations}]`,
      'Partners come and go at run time; all destinations of this stage begin with its name.',
    );
    return role;
  }
}

const lastReason = 'It is where lost deliveries end; collect-dead-letters reads them into the ledger.';
