import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { ServiceFunction } from '../service-function.ts';
import { createLastQueue } from '../service-queue.ts';
import { addAlarm, waitingIn } from '../watch/alarms.ts';

/** Calls `capture-change` with the Transactions stream; it schedules the debounce rows of changed transactions. */
export class ChangeCapture extends Construct {
  constructor(scope: Construct, config: StageConfig, { tables, encryptionKey }: DataStack) {
    super(scope, 'ChangeCapture');
    const { tableStreamArn } = tables.transactions;
    if (tableStreamArn === undefined) throw new Error('The Transactions table has no stream.');
    const givenUp = createLastQueue(this, 'GivenUp', { encryptionKey, why: givenUpReason });
    const capture = new ServiceFunction(this, 'CaptureChange', {
      config,
      encryptionKey,
      name: 'capture-change',
      reservedConcurrency: config.reservedConcurrency.captureChange,
      withoutDeadLetters: 'What its stream gives up goes to a queue of the event source.',
    })
      .knows('DORMANCY_SECONDS', String(config.eventTimes.dormancySeconds))
      .uses('DEBOUNCE_TABLE', tables.debounce, { UpdateItem: ['TX#*'] })
      .may(streamActions, tableStreamArn)
      .may(['sqs:SendMessage'], givenUp.queueArn);

    const source = new CfnEventSourceMapping(this, 'Changes', {
      functionName: capture.function.functionName,
      eventSourceArn: tableStreamArn,
      ...reading,
      destinationConfig: { onFailure: { destination: givenUp.queueArn } },
    });
    // CloudFormation cannot create it before the role may read the stream.
    source.node.addDependency(capture.role);
    this.watch(config, capture, givenUp);
  }

  private watch(config: StageConfig, capture: ServiceFunction, givenUp: Queue): void {
    addAlarm(this, 'Behind', {
      ...{ config, name: 'stream-behind' },
      metric: capture.function.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
      bounds: { above: 30_000 },
    });
    addAlarm(this, 'GaveUp', {
      ...{ config, name: 'changes-given-up' },
      metric: waitingIn(givenUp),
      bounds: { above: 0 },
    });
  }
}

/** The rights by which Lambda calls the function with records of a stream. */
const streamActions = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
];

/** TRIM_HORIZON, because LATEST can miss changes during creation. Five retries, so that a bad record blocks briefly. */
const reading = {
  startingPosition: 'TRIM_HORIZON',
  batchSize: 100,
  maximumBatchingWindowInSeconds: 0,
  parallelizationFactor: 1,
  bisectBatchOnFunctionError: true,
  maximumRetryAttempts: 5,
  maximumRecordAgeInSeconds: Duration.hours(6).toSeconds(),
  functionResponseTypes: ['ReportBatchItemFailures'],
  filterCriteria: { filters: [{ pattern: JSON.stringify({ eventName: ['INSERT', 'MODIFY'] }) }] },
};

const givenUpReason =
  'It is where records end that the stream gave up; the reconciler mends from the transactions.';
