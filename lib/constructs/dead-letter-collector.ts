import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { collectTimeoutSeconds } from '../event-times.ts';
import { acknowledge } from './acknowledge.ts';
import { addAlarm, oldestIn, ownMetric } from './alarms.ts';
import type { PartnerBus } from './partner-bus.ts';
import { ServiceFunction } from './service-function.ts';

/** The dead-letter queue calls `collect-dead-letters`, which notes in the ledger what the bus could not deliver. */
export class DeadLetterCollector extends Construct {
  constructor(scope: Construct, config: StageConfig, data: DataStack, { deadLetters }: PartnerBus) {
    super(scope, 'DeadLetterCollector');
    const collect = new ServiceFunction(this, 'CollectDeadLetters', {
      config,
      encryptionKey: data.encryptionKey,
      name: 'collect-dead-letters',
      timeout: Duration.seconds(collectTimeoutSeconds),
      withoutDeadLetters: 'What it fails at stays in its queue.',
    })
      .gets('DEBOUNCE_TABLE', data.tables.debounce)
      .updates('DEBOUNCE_TABLE', data.tables.debounce)
      .receives(deadLetters);

    const source = new CfnEventSourceMapping(this, 'DeadLetters', {
      functionName: collect.function.functionName,
      eventSourceArn: deadLetters.queueArn,
      batchSize: 10,
      maximumBatchingWindowInSeconds: 0,
      functionResponseTypes: ['ReportBatchItemFailures'],
    });
    source.node.addDependency(collect.role);
    acknowledge(
      source,
      'Serverless-LambdaEventSourceMappingDestination',
      'The queue is the last one already.',
    );
    addAlarm(this, 'Undelivered', {
      metric: ownMetric(config, 'collect-dead-letters', 'deadLetters'),
      above: 0,
      impact:
        'The bus gave up events of a partner, or of all of them where its rights are broken: some are tried again, others wait for ' +
        'a person. See "events list --state DEAD" of the operator’s tool.',
    });
    addAlarm(this, 'NotCollected', {
      metric: oldestIn(deadLetters),
      above: Duration.minutes(10).toSeconds(),
      impact:
        'Undelivered events wait outside the ledger: they are neither tried again nor shown to anybody. Nothing is lost for 14 ' +
        'days; look at the log of collect-dead-letters.',
    });
  }
}
