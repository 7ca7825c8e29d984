import type { MessageToSend } from '../../sqs/message.ts';
import type { AttemptOutcome, ExhaustedCondition } from './next-step.ts';
import type { BusDelivery } from './store.ts';

/** Why an event is given up: the outcome of its last attempt, or its target was removed. */
export type Cause =
  | { outcome: AttemptOutcome; exhausted?: ExhaustedCondition | undefined }
  | 'target removed';

/** The dead letter in EventBridge's format: the original event, with the cause in its attributes. */
export const deadLetterOf = (
  { event, ruleArn, target, attempts }: BusDelivery,
  cause: Cause,
): MessageToSend => {
  const exhausted = cause === 'target removed' ? undefined : cause.exhausted;
  const attributes = {
    RULE_ARN: ruleArn,
    TARGET_ARN: target.Arn,
    ERROR_CODE: isMissing(cause) ? 'NO_RESOURCE' : 'SDK_CLIENT_ERROR',
    ERROR_MESSAGE: messageOf(cause),
    RETRY_ATTEMPTS: `${Math.max(0, attempts - 1)}`,
    ...(exhausted && { EXHAUSTED_RETRY_CONDITION: exhausted }),
  };
  return { body: event, attributes: asText(attributes) };
};

const isMissing = (cause: Cause): boolean =>
  cause === 'target removed' || (!cause.outcome.ok && cause.outcome.reason === 'no such destination');

const messageOf = (cause: Cause): string => {
  if (cause === 'target removed') return 'The target of the rule was removed.';
  const { outcome } = cause;
  return `Unable to invoke ApiDestination endpoint: ${
    outcome.ok ? `The endpoint answered with status ${outcome.value.status}` : failures(outcome.reason)
  }.`;
};

const failures = (reason: string): string => {
  if (reason === 'timed out') return 'Timeout calling endpoint for API Destination: socket closed';
  return `API destination endpoint cannot be reached: ${reason}`;
};

const asText = (attributes: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
  );
