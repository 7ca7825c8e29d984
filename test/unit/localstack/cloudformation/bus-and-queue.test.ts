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

  test.each([
    ['without properties', {}, 'tests-Q', {}],
    [
      'with both times',
      { VisibilityTimeout: 90, MessageRetentionPeriod: 1_209_600 },
      'tests-Q',
      { visibilitySeconds: 90, retentionSeconds: 1_209_600 },
    ],
    ['that is FIFO', { FifoQueue: true }, 'tests-Q.fifo', {}],
    ['that is FIFO and has a name', { FifoQueue: true, QueueName: 'own.fifo' }, 'own.fifo', {}],
  ])('a queue %s', (_, properties, name, times) => {
    expect(cloudOf({ Q: queue(properties) }).queues).toEqual([
      {
        ...{ id: 'Q', name, arn: `arn:aws:sqs:eu-west-2:000000000000:${name}` },
        ...{ visibilitySeconds: 30, retentionSeconds: 345_600, ...times },
      },
    ]);
  });

  const ending = 'The name of a FIFO queue, and of no other, ends in .fifo (Q).';
  const unknown = (property: string) => `The local stage does not know ${property} of a queue (Q).`;
  test.each([
    [{ FifoQueue: true, QueueName: 'work' }, ending],
    [{ QueueName: 'work.fifo' }, ending],
    [{ DelaySeconds: 10 }, unknown('DelaySeconds')],
    [{ RedrivePolicy: { maxReceiveCount: 3 } }, unknown('RedrivePolicy')],
    [{ FifoQueue: true, ContentBasedDeduplication: true }, unknown('ContentBasedDeduplication')],
  ])('a queue with %j is refused', (properties, sentence) => {
    expect(() => cloudOf({ Q: queue(properties) })).toThrow(sentence);
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
