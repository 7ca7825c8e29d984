import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { collectTimeoutSeconds } from '../../event-times.ts';
import { acknowledge } from '../acknowledge.ts';
import { ServiceFunction } from '../service-function.ts';
import { addAlarm, ownMetric } from '../watch/alarms.ts';
import type { EndpointKeeper } from './endpoint-keeper.ts';
import type { PartnerBus } from './partner-bus.ts';

/** Calls `collect-dead-letters` with dead letters of the bus; it makes their partners owed. */
export class DeadLetterCollector extends Construct {
  constructor(
    scope: Construct,
    config: StageConfig,
    data: DataStack,
    { bus, keeper }: { bus: PartnerBus; keeper: EndpointKeeper },
  ) {
    super(scope, 'DeadLetterCollector');
    const { deadLetters } = bus;
    const collect = new ServiceFunction(this, 'CollectDeadLetters', {
      config,
      encryptionKey: data.encryptionKey,
      name: 'collect-dead-letters',
      timeout: Duration.seconds(collectTimeoutSeconds),
      withoutDeadLetters: 'What it fails at stays in its queue.',
    })
      .uses('DEBOUNCE_TABLE', data.tables.debounce, {
        BatchGetItem: ['TO#*'],
        PutItem: ['TO#*'],
        BatchWriteItem: ['TX#*', 'LOG#*'],
      })
      .receives(deadLetters);
    keeper.grantRequest(collect);

    const source = new CfnEventSourceMapping(this, 'DeadLetters', {
      functionName: collect.function.functionName,
      eventSourceArn: deadLetters.queueArn,
      batchSize: 10,
      maximumBatchingWindowInSeconds: 0,
      functionResponseTypes: ['ReportBatchItemFailures'],
      // Endpoints that are down for hours must not take executions from lists (S-42).
      scalingConfig: { maximumConcurrency: 2 },
    });
    source.node.addDependency(collect.role);
    acknowledge(
      source,
      'Serverless-LambdaEventSourceMappingDestination',
      'The queue is the last one already.',
    );
    addAlarm(this, 'Undelivered', {
      ...{ config, name: 'events-dead' },
      metric: ownMetric(config, 'collect-dead-letters', 'deadLetters'),
      bounds: { above: 0 },
    });
    if (config.watch)
      addAlarm(this, 'NotCollected', {
        ...{ config, name: 'dead-letters-left', after: { bad: 10, of: 10 } },
        metric: anywhereIn(deadLetters),
        bounds: { above: 0 },
      });
  }
}

/**
 * All messages of the queue, received ones included. The age of the oldest message is no use here: SQS leaves out messages
 * that were received three times.
 */
const anywhereIn = (queue: Queue) => {
  const everyMinute = { statistic: 'Maximum', period: Duration.minutes(1) };
  return new MathExpression({
    expression: 'waiting + read',
    label: 'Letters',
    period: everyMinute.period,
    usingMetrics: {
      waiting: queue.metricApproximateNumberOfMessagesVisible(everyMinute),
      read: queue.metricApproximateNumberOfMessagesNotVisible(everyMinute),
    },
  });
};
