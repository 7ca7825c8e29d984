import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readCloud } from '../../../../localstack/cloudformation/cloud.ts';
import type { Cloud } from '../../../../localstack/cloudformation/model.ts';
import { writeAssembly } from '../../../support/engine/cloud-assembly.ts';

const folders: string[] = [];
const cloudOf = (resources: Record<string, object>): Cloud => {
  const folder = writeAssembly([], resources);
  folders.push(folder);
  return readCloud(folder, {}, 'http://127.0.0.1:9324');
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const queue = (Properties: object) => ({ Type: 'AWS::SQS::Queue', Properties });

describe('buses and queues of the template', () => {
  test('a bus is known by its name and its ARN', () => {
    const { buses } = cloudOf({ Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'local-bus' } } });

    expect(buses).toEqual([
      { id: 'Bus', name: 'local-bus', arn: 'arn:aws:events:eu-west-2:000000000000:event-bus/local-bus' },
    ]);
  });

  test('a queue without properties has the defaults of SQS', () => {
    const { queues } = cloudOf({ Plain: queue({}) });

    expect(queues).toEqual([
      {
        id: 'Plain',
        name: 'tests-Plain',
        arn: 'arn:aws:sqs:eu-west-2:000000000000:tests-Plain',
        visibilitySeconds: 30,
        retentionSeconds: 345_600,
      },
    ]);
  });

  test('visibility and retention are the template’s', () => {
    const { queues } = cloudOf({
      Tick: queue({ VisibilityTimeout: 90, MessageRetentionPeriod: 1_209_600 }),
    });

    expect(queues[0]).toMatchObject({ visibilitySeconds: 90, retentionSeconds: 1_209_600 });
  });

  test('a FIFO queue ends in .fifo, in its name and its ARN', () => {
    const { queues } = cloudOf({
      Work: queue({ FifoQueue: true }),
      Named: queue({ FifoQueue: true, QueueName: 'own.fifo' }),
    });

    expect(queues).toMatchObject([
      { name: 'tests-Work.fifo', arn: 'arn:aws:sqs:eu-west-2:000000000000:tests-Work.fifo' },
      { name: 'own.fifo', arn: 'arn:aws:sqs:eu-west-2:000000000000:own.fifo' },
    ]);
  });

  test.each([
    [
      { Work: queue({ FifoQueue: true, QueueName: 'work' }) },
      'The name of a FIFO queue, and of no other, ends in .fifo (Work).',
    ],
    [
      { Work: queue({ QueueName: 'work.fifo' }) },
      'The name of a FIFO queue, and of no other, ends in .fifo (Work).',
    ],
    [
      { Ticks: queue({ DelaySeconds: 10 }) },
      'The local stage does not know DelaySeconds of a queue (Ticks).',
    ],
    [
      { Ticks: queue({ RedrivePolicy: { maxReceiveCount: 3 } }) },
      'The local stage does not know RedrivePolicy of a queue (Ticks).',
    ],
    [
      { Work: queue({ FifoQueue: true, ContentBasedDeduplication: true }) },
      'The local stage does not know ContentBasedDeduplication of a queue (Work).',
    ],
  ])('%j is refused', (resources, sentence) => {
    expect(() => cloudOf(resources)).toThrow(sentence);
  });

  test('policies of buses and queues and alarms have no effect here, and are no obstacle', () => {
    const { buses, queues } = cloudOf({
      Allow: { Type: 'AWS::Events::EventBusPolicy' },
      Deny: { Type: 'AWS::SQS::QueuePolicy' },
      Late: { Type: 'AWS::CloudWatch::Alarm' },
    });

    expect([buses, queues]).toEqual([[], []]);
  });

  test('a rule without a schedule is refused: partners are data, and their rules are made by the operator’s tool', () => {
    expect(() => cloudOf({ Rule: { Type: 'AWS::Events::Rule' } })).toThrow(
      'The local stage knows rules with a schedule and one function: Rule is another.',
    );
  });
});
