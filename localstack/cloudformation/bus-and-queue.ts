import { UserError } from '../../bin/operator/user-error.ts';
import type { CloudBus, CloudQueue, ResolvedResource } from './model.ts';
export const busOf = ({ id }: ResolvedResource, arn: unknown): CloudBus => ({
  id,
  arn: String(arn),
  name: String(arn).split('/').at(-1) ?? '',
});

export const queueOf = ({ id, properties }: ResolvedResource, arn: unknown): CloudQueue => {
  if (properties.FifoQueue) throw new UserError(`The local stage does not know FIFO queues (${id}).`);
  const redrive = redriveOf(properties.RedrivePolicy);
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

const redriveOf = (policy: unknown): CloudQueue['redrive'] => {
  const { deadLetterTargetArn, maxReceiveCount } = (policy ?? {}) as Record<string, unknown>;
  if (deadLetterTargetArn === undefined) return undefined;
  return { deadLetterArn: String(deadLetterTargetArn), maxReceiveCount: Number(maxReceiveCount) };
};
