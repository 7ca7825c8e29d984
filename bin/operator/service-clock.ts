import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../functions/shared/runtime/clock.ts';

/**
 * The service's time, for ends that a command sets by time (TOK-6), although this machine's clock may be wrong. The header
 * `Date` of each answer of the tables tells it, and every command reads tables before it changes anything.
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

/** How far the service's clock, as a command knows it, and those of the functions may differ. */
const clockMarginMs = 5_000;

/** The end of all tokens issued until now: a time that no function's clock has reached (TOK-6, V1-9). */
export const endOfTokens = (now: Date): Date => new Date(now.getTime() + clockMarginMs);

const dateOf = (response: unknown): number =>
  Date.parse((response as { headers?: Record<string, string> }).headers?.date ?? '');

/** `Date` has whole seconds, so clocks that differ by less count as equal. */
const toleratedMs = 1_000;

/** 0 where `Date` may lie between sending and receiving; undefined without a `Date`. */
const aheadOfMachineMs = (
  dateMs: number,
  { sentAtMs, receivedAtMs }: { sentAtMs: number; receivedAtMs: number },
): number | undefined => {
  if (Number.isNaN(dateMs)) return undefined;
  const isPossible = dateMs >= sentAtMs - 2 * toleratedMs && dateMs <= receivedAtMs + toleratedMs;
  return isPossible ? 0 : dateMs + toleratedMs / 2 - (sentAtMs + receivedAtMs) / 2;
};
