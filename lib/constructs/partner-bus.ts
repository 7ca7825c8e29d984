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
import { busNameOf, type StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { accountInFindings, acknowledge } from './acknowledge.ts';
import { type ServiceFunction, seconds } from './service-function.ts';
import { createLastQueue } from './service-queue.ts';

/**
 * The stage's own bus, with the queue for undelivered events and the role that calls endpoints. Partners are data: the
 * operator's tool creates their rules, and no template names one.
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
    // The policy is a property of the bus, because the emulator does not know the separate resource.
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

  /** Lets a function put events, with this stage's source and no other (EV-8). */
  admit(publisher: ServiceFunction): void {
    const { name, eventSource, eventTimes } = this.config;
    const { dormancySeconds, maxHoldSeconds } = eventTimes;
    publisher
      .publishes('EVENT_BUS', this, eventSource)
      .knows('EVENT_SOURCE', eventSource)
      .knows('STAGE', name)
      .knows('DORMANCY_SECONDS', seconds(dormancySeconds))
      .knows('MAX_HOLD_SECONDS', seconds(maxHoldSeconds));
    this.publishers.push(publisher.role.roleArn);
  }

  /** Denies the bus to every other role, even to one with a right to put events (TH-17). */
  private noOtherPublisher(): PolicyStatement {
    return this.denied('OnlyOurPublishers', {
      ArnNotEquals: { 'aws:PrincipalArn': Lazy.list({ produce: () => this.publishers }) },
    });
  }

  /** One request may have entries of several sources; a single foreign one refuses the whole request. */
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

  /** Limits a right to what this bus does, for itself or for its rules. */
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

  private arnOf(name: string): string {
    const { account, region, partition } = Stack.of(this);
    return `arn:${partition}:events:${region}:${account}:${name}`;
  }
}

const lastReason = 'It is where lost deliveries end; collect-dead-letters reads them into the ledger.';
