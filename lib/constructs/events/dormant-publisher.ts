import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { lastTickSeconds } from '../../../functions/shared/domain/event/timing.ts';
import type { MetricName } from '../../../functions/shared/runtime/metric-catalogue.ts';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { longestDueMs, messageHiddenSeconds, publishTimeoutSeconds } from '../../event-times.ts';
import { messagesAtOnce } from '../../flush-workers.ts';
import { acknowledge } from '../acknowledge.ts';
import { FunctionSchedule } from '../function-schedule.ts';
import { ServiceFunction } from '../service-function.ts';
import { createQueue } from '../service-queue.ts';
import { addAlarm, ownMetric, twoOfThree } from '../watch/alarms.ts';
import type { PartnerBus } from './partner-bus.ts';

/**
 * Runs `publish-dormant` every few seconds. Two runs of a schedule may be up to 119 s apart, so each run also sends itself
 * delayed messages, ticks. The same queue brings the completions that `v2-write` names and the tests that `v2-partner` asks
 * for. A FIFO queue with the due shard as message group works off a backlog. The three triggers do not wait for each other.
 */
export class DormantPublisher extends Construct {
  private readonly config: StageConfig;
  private readonly messages: Queue;
  private readonly shards: Queue;

  constructor(scope: Construct, config: StageConfig, data: DataStack, bus: PartnerBus) {
    super(scope, 'DormantPublisher');
    this.config = config;
    this.messages = this.createOwnQueue('Messages', data, messagesAreKept);
    // A worker that died blocks its shard for less than the lease of its rows.
    this.shards = this.createOwnQueue('Shards', data, {
      ...{ hiddenSeconds: publishTimeoutSeconds, keptSeconds: shortestRetentionSeconds, isFifo: true },
    });
    const publish = this.createFunction(data);
    bus.admit(publish);
    new FunctionSchedule(this, 'EveryMinute', { every: 'rate(1 minute)', function: publish.function });
    this.callByQueues(publish);
    this.watchPromises();
  }

  /** Lets a function ask that a completion or a test be sent at once; it needs no right to the bus (S-80). */
  grantMessage(asker: ServiceFunction): void {
    asker.sends('PUBLISH_QUEUE', this.messages);
  }

  /** Messages are kept for a short time, since none is needed: another tick follows, and the next poll finds what is due. */
  private createOwnQueue(
    id: string,
    { encryptionKey }: DataStack,
    { hiddenSeconds, keptSeconds, isFifo }: OwnQueue,
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
      .sends('PUBLISH_QUEUE', this.messages)
      .receives(this.messages)
      .sends('SHARD_QUEUE', this.shards)
      .receives(this.shards)
      .uses('TRANSACTIONS_TABLE', tables.transactions, ['BatchGetItem'])
      .uses('PARTNERS_TABLE', tables.partners, {
        BatchGetItem: ['PARTNER#*', 'STAGE'],
        GetItem: ['GRANT#*', 'STAGE'],
      })
      .queriesIndex('DEBOUNCE_TABLE', tables.debounce, 'due')
      .uses('DEBOUNCE_TABLE', tables.debounce, {
        // Rows are leased and settled; paid debts, told completions and ended passes are removed.
        BatchGetItem: ['TX#*', 'TO#*'],
        PutItem: ['TX#*', 'TO#*', 'PASS#*'],
        DeleteItem: ['TX#*', 'TO#*', 'PASS#*'],
        // Passes walk over rows, and over the log.
        Query: ['TO#*', 'PASS#*', 'LOG#*'],
        // Whoever has lost a pass writes nothing more for it.
        ConditionCheckItem: ['PASS#*'],
        // Lines of the log.
        BatchWriteItem: ['TX#*', 'LOG#*'],
      });
  }

  /** Ticks of one batch are one poll, completions of one batch share requests, and each shard has its own worker. */
  private callByQueues(publish: ServiceFunction): void {
    const { flushWorkers } = this.config;
    this.callBy('EveryShard', publish, { queue: this.shards, batchSize: 1, atOnce: flushWorkers });
    this.callBy('EveryMessage', publish, {
      ...{ queue: this.messages, batchSize: 10, atOnce: messagesAtOnce },
      // Only completions that are still due, and tests without an answer, are received again.
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
    addAlarm(this, 'CompletedLate', {
      ...{ config, name: 'completions-late', after: twoOfThree },
      metric: own('completionDelayMs'),
      bounds: { above: 2_000 },
    });
    addAlarm(this, 'Refused', {
      ...{ config, name: 'events-refused' },
      metric: own('refused'),
      bounds: { above: mostRefused },
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
type OwnQueue = { hiddenSeconds: number; keptSeconds: number; isFifo?: true };

/** The shortest retention of SQS. */
const shortestRetentionSeconds = 60;

/** Kept for the longest delay of a tick and five tries. After that the next poll finds what a message named. */
const messagesAreKept: OwnQueue = {
  hiddenSeconds: messageHiddenSeconds,
  keptSeconds: lastTickSeconds + 5 * messageHiddenSeconds,
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

/** In five minutes: an entry that is refused five times, within two minutes, rings wherever the periods part; one refusal does not. */
const mostRefused = 2;

const nothingLost =
  'Its messages hold nothing: another tick follows, and the next poll finds what they name. A failure has its own alarm.';
