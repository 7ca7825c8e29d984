import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { lastTickSeconds } from '../../functions/shared/domain/event/timing.ts';
import type { MetricName } from '../../functions/shared/runtime/metric-catalogue.ts';
import type { StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { publishTimeoutSeconds } from '../event-times.ts';
import { flushRunsOf } from '../flush-runs.ts';
import { acknowledge } from './acknowledge.ts';
import { addAlarm, ownMetric, waitingIn } from './alarms.ts';
import { FunctionSchedule } from './function-schedule.ts';
import type { PartnerBus } from './partner-bus.ts';
import { ServiceFunction, seconds } from './service-function.ts';
import { createLastQueue, createQueue } from './service-queue.ts';

/**
 * Runs `publish-dormant` every few seconds. A schedule can be up to 119 s apart, so each minute's run also sends itself
 * delayed messages, ticks. Where more is due than one run may publish it asks for further runs by a second queue, so that
 * neither waits behind the other: one function, three triggers.
 */
export class DormantPublisher extends Construct {
  private readonly config: StageConfig;
  private readonly ticks: Queue;
  private readonly lanes: Queue;

  constructor(scope: Construct, config: StageConfig, data: DataStack, bus: PartnerBus) {
    super(scope, 'DormantPublisher');
    this.config = config;
    const lostTicks = this.createLostQueue('LostTicks', data);
    const lostLanes = this.createLostQueue('LostLanes', data);
    this.ticks = this.createOwnQueue('Ticks', data, {
      lost: lostTicks,
      longestDelaySeconds: lastTickSeconds,
    });
    this.lanes = this.createOwnQueue('Lanes', data, { lost: lostLanes, longestDelaySeconds: 0 });
    const publish = this.createFunction(data);
    bus.admit(publish);
    new FunctionSchedule(this, 'EveryMinute', { every: 'rate(1 minute)', function: publish.function });
    this.callByQueues(publish);
    this.watchPromises();
    this.watchQueues({ lostTicks, lostLanes });
  }

  /** Lets a function ask for a flush at once. */
  letAsk(asker: ServiceFunction): void {
    asker.sends('TICK_QUEUE', this.ticks);
  }

  private createLostQueue(id: string, { encryptionKey }: DataStack): Queue {
    return createLastQueue(this, id, { encryptionKey, why: lostReason, ofQueue: true });
  }

  private createOwnQueue(
    id: string,
    { encryptionKey }: DataStack,
    { lost, longestDelaySeconds }: { lost: Queue; longestDelaySeconds: number },
  ): Queue {
    return createQueue(this, id, {
      encryptionKey,
      // AWS recommends six timeouts; old messages are worthless, because newer ones follow.
      visibility: Duration.seconds(6 * publishTimeoutSeconds),
      retention: Duration.seconds(longestDelaySeconds + 5 * 6 * publishTimeoutSeconds),
      redrive: { queue: lost, maxReceiveCount: 3 },
    });
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
      .knows('TICK_SECONDS', seconds(this.config.eventTimes.tickSeconds))
      .knows('FLUSH_LANES', String(flushRunsOf(this.config).lanes))
      .sends('TICK_QUEUE', this.ticks)
      .receives(this.ticks)
      .sends('LANE_QUEUE', this.lanes)
      .receives(this.lanes)
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

  /** Ticks that come together are one look. Lanes that come together are to have a run each. */
  private callByQueues(publish: ServiceFunction): void {
    const { byTicks, byLanes } = flushRunsOf(this.config);
    this.callBy('EveryTick', publish, { queue: this.ticks, batchSize: 10, atOnce: byTicks });
    this.callBy('EveryLane', publish, { queue: this.lanes, batchSize: 1, atOnce: byLanes });
  }

  private callBy(
    id: string,
    publish: ServiceFunction,
    { queue, batchSize, atOnce }: { queue: Queue; batchSize: number; atOnce: number },
  ): void {
    const source = new CfnEventSourceMapping(this, id, {
      functionName: publish.function.functionName,
      eventSourceArn: queue.queueArn,
      batchSize,
      maximumBatchingWindowInSeconds: 0,
      scalingConfig: { maximumConcurrency: atOnce },
    });
    source.node.addDependency(publish.role);
    acknowledge(
      source,
      'Serverless-LambdaEventSourceMappingDestination',
      'The queue has a dead-letter queue of its own.',
    );
  }

  private watchPromises(): void {
    const { config } = this;
    const own = (name: MetricName) => ownMetric(config, 'publish-dormant', name);
    addAlarm(this, 'Late', {
      ...{ config, name: 'updates-waiting', silenceRings: true },
      // Short, because silence is heard only after some such periods.
      metric: own('oldestDueAgeMs').with({ period: Duration.minutes(2) }),
      // A row is due 120 s after its change, and the event is promised within 180 s.
      bounds: { above: 60_000 },
    });
    addAlarm(this, 'ToldLate', {
      ...{ config, name: 'updates-late' },
      metric: own('updateDelayMs'),
      bounds: { above: 180_000 },
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

  private watchQueues({ lostTicks, lostLanes }: Record<'lostTicks' | 'lostLanes', Queue>): void {
    const { config } = this;
    addAlarm(this, 'LostTick', {
      ...{ config, name: 'ticks-lost' },
      metric: waitingIn(lostTicks),
      bounds: { above: 0 },
    });
    addAlarm(this, 'LostLane', {
      ...{ config, name: 'lanes-lost' },
      metric: waitingIn(lostLanes),
      bounds: { above: 0 },
    });
  }
}

/** Per five minutes: a lasting failure is tried every 20 to 30 s, and a short one affects a group of ten once. */
const mostTriesAgain = 10;

const lostReason = 'It is where messages end that failed; they hold no row that is due, and others follow.';
