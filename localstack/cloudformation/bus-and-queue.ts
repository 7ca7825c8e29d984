import { UserError } from '../../bin/operator/user-error.ts';
import type { CloudBus, CloudQueue, ResolvedResource } from './model.ts';

export const busOf = ({ id }: ResolvedResource, arn: unknown): CloudBus => ({
  id,
  arn: String(arn),
  name: String(arn).split('/').at(-1) ?? '',
});

export const queueOf = ({ id, properties }: ResolvedResource, arn: unknown): CloudQueue => {
  const unknown = unknownOfQueues.find((name) => properties[name] !== undefined);
  if (unknown) throw new UserError(`The local stage does not know ${unknown} of a queue (${id}).`);
  // SQS refuses such a queue as well.
  if (String(arn).endsWith('.fifo') !== (properties.FifoQueue === true))
    throw new UserError(`The name of a FIFO queue, and of no other, ends in .fifo (${id}).`);
  return {
    id,
    arn: String(arn),
    name: String(arn).split(':').at(-1) ?? '',
    visibilitySeconds: Number(properties.VisibilityTimeout ?? 30),
    retentionSeconds: Number(properties.MessageRetentionPeriod ?? 345_600),
  };
};

/**
 * Properties that the local queues do not implement: a FIFO queue has a single window of deduplication, and each message
 * brings its deduplication id.
 */
const unknownOfQueues = [
  ...['ContentBasedDeduplication', 'DeduplicationScope', 'FifoThroughputLimit'],
  ...['DelaySeconds', 'RedrivePolicy'],
];
