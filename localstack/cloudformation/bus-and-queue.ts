import { UserError } from '../../bin/operator/user-error.ts';
import type { CloudBus, CloudQueue, ResolvedResource } from './model.ts';

export const busOf = ({ id }: ResolvedResource, arn: unknown): CloudBus => ({
  id,
  arn: String(arn),
  name: String(arn).split('/').at(-1) ?? '',
});

export const queueOf = ({ id, properties }: ResolvedResource, arn: unknown): CloudQueue => {
  refuseUnknown(id, properties);
  const redrive = redriveOf(properties.RedrivePolicy);
  refuseOtherTypes(id, properties.FifoQueue === true, { arn: String(arn), redrive });
  return {
    id,
    arn: String(arn),
    name: String(arn).split(':').at(-1) ?? '',
    delaySeconds: Number(properties.DelaySeconds ?? 0),
    visibilitySeconds: Number(properties.VisibilityTimeout ?? 30),
    retentionSeconds: Number(properties.MessageRetentionPeriod ?? 345_600),
    ...(redrive && { redrive }),
  };
};

/** A FIFO queue has one window of deduplication here, and each message brings its id. */
const unknownOfFifo = ['ContentBasedDeduplication', 'DeduplicationScope', 'FifoThroughputLimit'];

const refuseUnknown = (id: string, properties: Record<string, unknown>) => {
  const unknown = unknownOfFifo.find((name) => properties[name] !== undefined);
  if (unknown) throw new UserError(`The local stage does not know ${unknown} of a queue (${id}).`);
};

/** SQS refuses these: a name of the other type, and dead letters of the other type. */
const refuseOtherTypes = (
  id: string,
  isFifo: boolean,
  { arn, redrive }: { arn: string; redrive: CloudQueue['redrive'] },
) => {
  if (arn.endsWith('.fifo') !== isFifo)
    throw new UserError(`The name of a FIFO queue, and of no other, ends in .fifo (${id}).`);
  if (redrive && redrive.deadLetterArn.endsWith('.fifo') !== isFifo)
    throw new UserError(`The dead letters of a FIFO queue, and of no other, go to a FIFO queue (${id}).`);
};

const redriveOf = (policy: unknown): CloudQueue['redrive'] => {
  const { deadLetterTargetArn, maxReceiveCount } = (policy ?? {}) as Record<string, unknown>;
  if (deadLetterTargetArn === undefined) return undefined;
  return { deadLetterArn: String(deadLetterTargetArn), maxReceiveCount: Number(maxReceiveCount) };
};
