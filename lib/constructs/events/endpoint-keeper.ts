import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { isOnThisMachine } from '../../emulated-account.ts';
import { keepTimeoutSeconds, probeTimeoutSeconds } from '../../event-times.ts';
import { acknowledge } from '../acknowledge.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import { ServiceFunction } from '../service-function.ts';
import { createQueue } from '../service-queue.ts';
import { addAlarm, ownMetric } from '../watch/alarms.ts';
import type { PartnerBus } from './partner-bus.ts';

/**
 * Runs `keep-endpoints`, which makes the bus match partners' records. A queue names partners to look at, now or later, and a
 * schedule finds lost messages' partners. Only `probe-endpoint` calls partners' addresses, and it has no other right.
 */
export class EndpointKeeper extends Construct {
  readonly requests: Queue;
  private readonly config: StageConfig;

  constructor(scope: Construct, config: StageConfig, data: DataStack, bus: PartnerBus) {
    super(scope, 'EndpointKeeper');
    this.config = config;
    this.requests = this.createRequests(data);
    const keep = this.createFunction(data, this.createProbe(data));
    bus.grantEndpoints(keep);
    bus.grantDelivery(keep);
    this.callByRequests(keep);
    new FunctionSchedule(this, 'InTurn', { every: 'rate(10 minutes)', function: keep.function });
    this.watch();
  }

  /** Lets a function that changes a partner's record request work on its endpoint. */
  grantRequest(asker: ServiceFunction): void {
    asker.sends('ENDPOINT_QUEUE', this.requests);
  }

  /** A message that fails for an hour is dropped, and the schedule finds its partner. */
  private createRequests({ encryptionKey }: DataStack): Queue {
    const queue = createQueue(this, 'Requests', {
      encryptionKey,
      visibility: Duration.seconds(keepTimeoutSeconds),
      retention: Duration.hours(1),
    });
    acknowledge(queue, 'AwsSolutions-SQS3', foundAgain);
    acknowledge(queue, 'Serverless-SQSRedrivePolicy', foundAgain);
    return queue;
  }

  /** The probe gets all that it sends from its caller, so it has no right to any table. */
  private createProbe({ encryptionKey }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'ProbeEndpoint', {
      config: this.config,
      encryptionKey,
      name: 'probe-endpoint',
      timeout: Duration.seconds(probeTimeoutSeconds),
      // keep-endpoints calls it within the chain of messages by which keep-endpoints calls itself.
      feedsItself: true,
      withoutDeadLetters: 'Its caller, keep-endpoints, waits for its answer.',
    }).knows('LOOPBACK_ENDPOINTS', this.loopbackEndpoints());
  }

  private createFunction({ tables, encryptionKey }: DataStack, probe: ServiceFunction): ServiceFunction {
    const { name, eventSource } = this.config;
    const keep = new ServiceFunction(this, 'KeepEndpoints', {
      config: this.config,
      encryptionKey,
      name: 'keep-endpoints',
      timeout: Duration.seconds(keepTimeoutSeconds),
      feedsItself: true,
      withoutDeadLetters: foundAgain,
    })
      .knows('STAGE', name)
      .knows('EVENT_SOURCE', eventSource)
      .knows('CONNECTION_KEY', encryptionKey.keyArn)
      .knows('ENDPOINT_EFFECT_SECONDS', isOnThisMachine(this.config) ? '0' : String(effectSeconds))
      .knows('LOOPBACK_ENDPOINTS', this.loopbackEndpoints())
      .knows('PROBE_FUNCTION', probe.function.functionName)
      .may(['lambda:InvokeFunction'], probe.function.functionArn)
      .may(['kms:DescribeKey'], encryptionKey.keyArn)
      .receives(this.requests)
      .uses('PARTNERS_TABLE', tables.partners, {
        GetItem: ['PARTNER#*', 'WEBHOOK#*', 'STAGE', 'TURN'],
        BatchGetItem: ['PARTNER#*', 'STAGE'],
        Query: ['PARTNERS'],
        PutItem: ['TURN'],
      })
      .setsOfPartners(tables.partners, 'PARTNER#*', ['endpoint'])
      // Passes, which publish-dormant works off: a partner that is on again is sent what it is owed.
      .uses('DEBOUNCE_TABLE', tables.debounce, { PutItem: ['PASS#*'] });
    this.grantRequest(keep);
    return keep;
  }

  private loopbackEndpoints(): string {
    return isOnThisMachine(this.config) ? 'allowed' : 'refused';
  }

  private callByRequests(keep: ServiceFunction): void {
    const source = new CfnEventSourceMapping(this, 'Request', {
      functionName: keep.function.functionName,
      eventSourceArn: this.requests.queueArn,
      batchSize: 1,
      functionResponseTypes: ['ReportBatchItemFailures'],
      // EventBridge allows some fifty requests a second.
      scalingConfig: { maximumConcurrency: 5 },
    });
    source.node.addDependency(keep.role);
    acknowledge(source, 'Serverless-LambdaEventSourceMappingDestination', foundAgain);
  }

  private watch(): void {
    const { config } = this;
    addAlarm(this, 'Differs', {
      ...{ config, name: 'endpoint-differs', silenceRings: true },
      // Longer than the ten minutes after which the schedule reports the metric.
      metric: ownMetric(config, 'keep-endpoints', 'differingEndpoints').with({
        period: Duration.minutes(15),
      }),
      bounds: { above: 0 },
    });
  }
}

/** Until a change takes effect: the API reference of PutRule and PutTargets says "a short period of time". */
const effectSeconds = 60;

const foundAgain = 'The schedule looks at every partner in turn, and finds what was lost.';
