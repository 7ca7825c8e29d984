import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { lastTickSeconds } from '../../functions/shared/domain/event/timing.ts';
import type { MetricName } from '../../functions/shared/runtime/metric-catalogue.ts';
import type { StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { completionHiddenSeconds, longestDueMs, publishTimeoutSeconds } from '../event-times.ts';
import { completionsAtOnce, pollsAtOnce } from '../flush-workers.ts';
import { acknowledge } from './acknowledge.ts';
import { addAlarm, ownMetric } from './alarms.ts';
import { FunctionSchedule } from './function-schedule.ts';
import type { PartnerBus } from './partner-bus.ts';
import { ServiceFunction } from './service-function.ts';
import { createQueue } from './service-queue.ts';

/**
 * Runs `publish-dormant` every few seconds. A schedule can be up to 119 s apart, so each minute's run also sends itself
 * delayed messages, ticks. A backlog is worked off by due shards, a FIFO queue with the shard as message group; completions
 * are named by the function that writes them. One function, four triggers, and none of them waits behind another.
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
    // A worker that died keeps its shard for less than the lease of its rows.
    this.shards = this.createOwnQueue('Shards', data, { hiddenSeconds: publishTimeoutSeconds, isFifo: true });
    this.completions = this.createOwnQueue('Completions', data, { hiddenSeconds: completionHiddenSeconds });
    const publish = this.createFunction(data);
    bus.admit(publish);
    new FunctionSchedule(this, 'EveryMinute', { every: 'rate(1 minute)', function: publish.function });
    this.callByQueues(publish);
    this.watchPromises();
  }

  /** Lets a function ask for completions to be published at once, which is all that it has to do with the bus (S-80). */
  grantAskForCompletions(asker: ServiceFunction): void {
    asker.sends('COMPLETION_QUEUE', this.completions);
  }

  /** Nothing hangs on its messages: another tick follows, and the next poll finds what they name. So none is kept for long. */
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
      .gets('TRANSACTIONS_TABLE', tables.transactions)
      .batchGets('TRANSACTIONS_TABLE', tables.transactions)
      .checks('TRANSACTIONS_TABLE', tables.transactions)
      .ofPartners(tables.partners, { BatchGetItem: ['PARTNER#*', 'STAGE'], GetItem: ['GRANT#*'] })
      .queries('DEBOUNCE_TABLE', tables.debounce, 'due')
      .queries('DEBOUNCE_TABLE', tables.debounce, 'byTransaction')
      .batchGets('DEBOUNCE_TABLE', tables.debounce)
      .gets('DEBOUNCE_TABLE', tables.debounce)
      .queries('DEBOUNCE_TABLE', tables.debounce)
      .puts('DEBOUNCE_TABLE', tables.debounce)
      .updates('DEBOUNCE_TABLE', tables.debounce);
  }

  /** Ticks that come together are one poll; completions that do share their requests. A shard has a worker to itself. */
  private callByQueues(publish: ServiceFunction): void {
    const { flushWorkers } = this.config;
    this.callBy('EveryTick', publish, { queue: this.ticks, batchSize: 10, atOnce: pollsAtOnce });
    this.callBy('EveryShard', publish, { queue: this.shards, batchSize: 1, atOnce: flushWorkers });
    this.callBy('EveryCompletion', publish, {
      ...{ queue: this.completions, batchSize: 10, atOnce: completionsAtOnce },
      // What is still due comes again, and nothing else of its batch.
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
      // Short, because silence is heard only after some such periods.
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
    // Failures that the age of the oldest row does not show, because each further try makes its row due anew.
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

/** `hiddenSeconds`: after which a message that was handed out and not deleted is handed out again. */
type OwnQueue = { hiddenSeconds: number; keptSeconds?: number; isFifo?: true };

/** The least that SQS offers. */
const shortestRetentionSeconds = 60;

/** AWS recommends six timeouts until a message comes again; ticks are kept for their longest delay and some tries. */
const ticksAreKept: OwnQueue = {
  hiddenSeconds: 6 * publishTimeoutSeconds,
  keptSeconds: lastTickSeconds + 5 * 6 * publishTimeoutSeconds,
};

/** How a queue calls the function. */
type QueueTrigger = {
  queue: Queue;
  batchSize: number;
  /** How many invocations there are at once, at most. */
  atOnce: number;
  functionResponseTypes?: string[];
};

/** Per five minutes: a lasting failure is tried every 20 to 30 s, and a short one affects a group of ten once. */
const mostTriesAgain = 10;

const nothingLost =
  'Its messages hold nothing: another tick follows, and the next poll finds what they name. A failure rings by itself.';
