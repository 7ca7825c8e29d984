import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { lastTickSeconds } from '../../../functions/shared/domain/event/timing.ts';
import type { MetricName } from '../../../functions/shared/runtime/metric-catalogue.ts';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { completionHiddenSeconds, longestDueMs, publishTimeoutSeconds } from '../../event-times.ts';
import { completionsAtOnce, pollsAtOnce } from '../../flush-workers.ts';
import { acknowledge } from '../acknowledge.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import { ServiceFunction } from '../service-function.ts';
import { createQueue } from '../service-queue.ts';
import { addAlarm, ownMetric } from '../watch/alarms.ts';
import type { PartnerBus } from './partner-bus.ts';

/**
 * Runs `publish-dormant` every few seconds. Two runs of a schedule may be up to 119 s apart, so each run also sends itself
 * delayed messages, ticks. A FIFO queue with the due shard as message group works off a backlog. `v2-write` names its
 * completions in a third queue. The four triggers do not wait for each other.
 */
export class DormantPublisher extends Construct {
  private readonly config: StageConfig;
  private readonly ticks: Queue;
  private readonly shards: Queue;
  private readonly completions: Queue;

  constructor(scope: Construct, config: StageConfig, data: DataStack, bus: PartnerBus) {
    super(scope, 'DormantPublisher');
    this.config = config;
    this.ticks = this.createOwnQueue('Ticks', data, ticksAreKept);
    // A worker that died blocks its shard for less than the lease of its rows.
    this.shards = this.createOwnQueue('Shards', data, { hiddenSeconds: publishTimeoutSeconds, isFifo: true });
    this.completions = this.createOwnQueue('Completions', data, { hiddenSeconds: completionHiddenSeconds });
    const publish = this.createFunction(data);
    bus.admit(publish);
    new FunctionSchedule(this, 'EveryMinute', { every: 'rate(1 minute)', function: publish.function });
    this.callByQueues(publish);
    this.watchPromises();
  }

  /** Lets a function request that completions be published at once; it needs no right to the bus (S-80). */
  grantAskForCompletions(asker: ServiceFunction): void {
    asker.sends('COMPLETION_QUEUE', this.completions);
  }

  /** Messages are kept for a short time, since none is needed: another tick follows, and the next poll finds what is due. */
  private createOwnQueue(
    id: string,
    { encryptionKey }: DataStack,
    { hiddenSeconds, keptSeconds = shortestRetentionSeconds, isFifo }: OwnQueue,
  ): Queue {
    const queue = createQueue(this, id, {
      encryptionKey,
      visibility: Duration.seconds(hiddenSeconds),
      retention: Duration.seconds(keptSeconds),
      ...(isFifo && { isFifo }),
    });
    acknowledge(queue, 'AwsSolutions-SQS3', nothingLost);
    acknowledge(queue, 'Serverless-SQSRedrivePolicy', nothingLost);
    return queue;
  }

  private createFunction({ tables, encryptionKey }: DataStack): ServiceFunction {
    return new ServiceFunction(this, 'PublishDormant', {
      config: this.config,
      encryptionKey,
      name: 'publish-dormant',
      timeout: Duration.seconds(publishTimeoutSeconds),
      reservedConcurrency: this.config.reservedConcurrency.publishDormant,
      feedsItself: true,
      withoutDeadLetters: 'What it did not come to stays due, and the next tick finds it.',
    })
      .knows('TICK_SECONDS', String(this.config.eventTimes.tickSeconds))
      .sends('TICK_QUEUE', this.ticks)
      .receives(this.ticks)
      .sends('SHARD_QUEUE', this.shards)
      .receives(this.shards)
      .receives(this.completions)
      .uses('TRANSACTIONS_TABLE', tables.transactions, ['GetItem', 'BatchGetItem', 'ConditionCheckItem'])
      .uses('PARTNERS_TABLE', tables.partners, { BatchGetItem: ['PARTNER#*', 'STAGE'], GetItem: ['GRANT#*'] })
      .queriesIndex('DEBOUNCE_TABLE', tables.debounce, 'due')
      .queriesIndex('DEBOUNCE_TABLE', tables.debounce, 'byTransaction')
      .uses('DEBOUNCE_TABLE', tables.debounce, ['BatchGetItem', 'GetItem', 'Query', 'PutItem', 'UpdateItem']);
  }

  /** Ticks of one batch are one poll, completions of one batch share requests, and each shard has its own worker. */
  private callByQueues(publish: ServiceFunction): void {
    const { flushWorkers } = this.config;
    this.callBy('EveryTick', publish, { queue: this.ticks, batchSize: 10, atOnce: pollsAtOnce });
    this.callBy('EveryShard', publish, { queue: this.shards, batchSize: 1, atOnce: flushWorkers });
    this.callBy('EveryCompletion', publish, {
      ...{ queue: this.completions, batchSize: 10, atOnce: completionsAtOnce },
      // Only completions that are still due are received again.
      functionResponseTypes: ['ReportBatchItemFailures'],
    });
  }

  private callBy(
    id: string,
    publish: ServiceFunction,
    { queue, batchSize, atOnce, ...more }: QueueTrigger,
  ): void {
    const source = new CfnEventSourceMapping(this, id, {
      functionName: publish.function.functionName,
      eventSourceArn: queue.queueArn,
      batchSize,
      maximumBatchingWindowInSeconds: 0,
      scalingConfig: { maximumConcurrency: atOnce },
      ...more,
    });
    source.node.addDependency(publish.role);
    acknowledge(source, 'Serverless-LambdaEventSourceMappingDestination', nothingLost);
  }

  private watchPromises(): void {
    const { config } = this;
    const own = (name: MetricName) => ownMetric(config, 'publish-dormant', name);
    addAlarm(this, 'Late', {
      ...{ config, name: 'updates-waiting', silenceRings: true },
      // Short, because missing data fires only after several periods.
      metric: own('oldestDueAgeMs').with({ period: Duration.minutes(2) }),
      bounds: { above: longestDueMs(config.eventTimes) },
    });
    addAlarm(this, 'NotifiedLate', {
      ...{ config, name: 'updates-late' },
      metric: own('updateDelayMs'),
      bounds: { above: config.eventTimes.promisedSeconds * 1000 },
    });
    addAlarm(this, 'Parked', {
      ...{ config, name: 'events-parked' },
      metric: own('parked'),
      bounds: { above: 0 },
    });
    // The age of the oldest row does not show these failures, because each try makes its row due anew.
    addAlarm(this, 'BusSilent', {
      ...{ config, name: 'bus-silent' },
      metric: own('unconfirmed'),
      bounds: { above: mostTriesAgain },
    });
    addAlarm(this, 'RowsFail', {
      ...{ config, name: 'events-failing' },
      metric: own('failed'),
      bounds: { above: mostTriesAgain },
    });
  }
}

/** `hiddenSeconds`: the visibility timeout, after which an undeleted message is received again. */
type OwnQueue = { hiddenSeconds: number; keptSeconds?: number; isFifo?: true };

/** The shortest retention of SQS. */
const shortestRetentionSeconds = 60;

/** AWS recommends a visibility timeout of six function timeouts. Ticks are kept for their longest delay and 5 tries. */
const ticksAreKept: OwnQueue = {
  hiddenSeconds: 6 * publishTimeoutSeconds,
  keptSeconds: lastTickSeconds + 5 * 6 * publishTimeoutSeconds,
};

type QueueTrigger = {
  queue: Queue;
  batchSize: number;
  /** The most concurrent invocations. */
  atOnce: number;
  functionResponseTypes?: string[];
};

/** In five minutes: a lasting failure is tried every 20 to 30 s, a short one affects a batch of ten once. */
const mostTriesAgain = 10;

const nothingLost =
  'Its messages hold nothing: another tick follows, and the next poll finds what they name. A failure has its own alarm.';
