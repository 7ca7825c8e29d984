import { describe, expect, test } from '@jest/globals';
import { queueOf } from '../../../../localstack/cloudformation/bus-and-queue.ts';
import type { ResolvedResource } from '../../../../localstack/cloudformation/model.ts';

const read = (properties: object, name = 'work') =>
  queueOf(
    { id: 'Q', properties } as unknown as ResolvedResource,
    `arn:aws:sqs:eu-west-2:000000000000:${name}`,
  );

describe('a queue of the template', () => {
  test.each([
    ['without properties', {}, { visibilitySeconds: 30, retentionSeconds: 345_600 }],
    [
      'with both times',
      { VisibilityTimeout: 90, MessageRetentionPeriod: 1_209_600 },
      { visibilitySeconds: 90, retentionSeconds: 1_209_600 },
    ],
  ])('%s has the times of SQS', (_, properties, times) => {
    expect(read(properties)).toEqual({
      ...{ id: 'Q', name: 'work', arn: 'arn:aws:sqs:eu-west-2:000000000000:work', ...times },
    });
  });

  const ending = 'The name of a FIFO queue, and of no other, ends in .fifo (Q).';
  const unknown = (property: string) => `The local stage does not know ${property} of a queue (Q).`;
  test.each([
    [{ FifoQueue: true }, 'work', ending],
    [{}, 'work.fifo', ending],
    [{ DelaySeconds: 10 }, 'work', unknown('DelaySeconds')],
    [{ RedrivePolicy: { maxReceiveCount: 3 } }, 'work', unknown('RedrivePolicy')],
    [{ ContentBasedDeduplication: true }, 'work', unknown('ContentBasedDeduplication')],
  ])('with %j and the name %s is refused', (properties, name, sentence) => {
    expect(() => read(properties, name)).toThrow(sentence);
  });
});
