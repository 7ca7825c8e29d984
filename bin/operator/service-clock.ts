import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../functions/shared/runtime/clock.ts';

/**
 * The time as the service has it, whatever this machine's clock says: what an operator ends is ended by a time (TOK-6).
 * Each answer of the tables tells it in its header `Date`, and every command reads them before it changes anything.
 */
export const createServiceClock = (documents: DynamoDBDocumentClient, machine: Clock): Clock => {
  let aheadMs = 0;
  documents.middlewareStack.add(
    (next) => async (request) => {
      const sentAtMs = machine().getTime();
      const answered = await next(request);
      const heard = { sentAtMs, receivedAtMs: machine().getTime() };
      aheadMs = aheadOfMachineMs(dateOf(answered.response), heard) ?? aheadMs;
      return answered;
    },
    { step: 'deserialize', name: 'serviceClock' },
  );
  return () => new Date(machine().getTime() + aheadMs);
};

const dateOf = (response: unknown): number =>
  Date.parse((response as { headers?: Record<string, string> }).headers?.date ?? '');

/** `Date` has whole seconds: within so much, both clocks may be right. */
const toleratedMs = 1_000;

/** 0 where the service may have answered at its time between our two; undefined where it tells no time. */
const aheadOfMachineMs = (
  dateMs: number,
  { sentAtMs, receivedAtMs }: { sentAtMs: number; receivedAtMs: number },
): number | undefined => {
  if (Number.isNaN(dateMs)) return undefined;
  const isPossible = dateMs >= sentAtMs - 2 * toleratedMs && dateMs <= receivedAtMs + toleratedMs;
  return isPossible ? 0 : dateMs + toleratedMs / 2 - (sentAtMs + receivedAtMs) / 2;
};
