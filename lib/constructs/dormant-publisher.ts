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
 * delayed messages: one function, two triggers.
 */
export class DormantPublisher extends Construct {
  private readonly config: StageConfig;
  private readonly ticks: Queue;

  constructor(scope: Construct, config: StageConfig, data: DataStack, bus: PartnerBus) {
    super(scope, 'DormantPublisher');
    this.config = config;
    const lostTicks = createLastQueue(this, 'LostTicks', {
      encryptionKey: data.encryptionKey,
      why: lostReason,
      ofQueue: true,
    });
    this.ticks = createQueue(this, 'Ticks', {
      encryptionKey: data.encryptionKey,
      // AWS recommends six timeouts; old ticks are worthless, because newer ones follow.
      visibility: Duration.seconds(6 * publishTimeoutSeconds),
      retention: Duration.seconds(lastTickSeconds + 5 * 6 * publishTimeoutSeconds),
      redrive: { queue: lostTicks, maxReceiveCount: 3 },
    });
    const publish = this.createFunction(data);
    bus.admit(publish);
    new FunctionSchedule(this, 'EveryMinute', { every: 'rate(1 minute)', function: publish.function });
    this.callByTicks(publish);
    this.watch(lostTicks);
  }

  /** Lets a function ask for a flush at once. */
  letAsk(asker: ServiceFunction): void {
    asker.sends('TICK_QUEUE', this.ticks);
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

  /** A message a run: those that name lanes come together, and each is to have a run of its own. */
  private callByTicks(publish: ServiceFunction): void {
    const source = new CfnEventSourceMapping(this, 'EveryTick', {
      functionName: publish.function.functionName,
      eventSourceArn: this.ticks.queueArn,
      batchSize: 1,
      maximumBatchingWindowInSeconds: 0,
      scalingConfig: { maximumConcurrency: flushRunsOf(this.config).byQueue },
    });
    source.node.addDependency(publish.role);
    acknowledge(
      source,
      'Serverless-LambdaEventSourceMappingDestination',
      'The queue has a dead-letter queue of its own.',
    );
  }

  private watch(lostTicks: Queue): void {
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
    // Failures that the age of the oldest row does not show, because each try makes its row due again.
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
    addAlarm(this, 'LostTick', {
      ...{ config, name: 'ticks-lost' },
      metric: waitingIn(lostTicks),
      bounds: { above: 0 },
    });
  }
}

/** Per five minutes: a lasting failure is tried every 20 to 30 s, and a short one affects a group of ten once. */
const mostTriesAgain = 10;

const lostReason = 'It is where ticks end that failed; they are empty, and others follow.';
