import { UserError } from '../../bin/operator/user-error.ts';
import type { CloudSchedule, ResolvedResource } from './model.ts';

/** Reads a scheduled rule. Throws a UserError for an event pattern, or for more than one target. */
export const scheduleOf = ({ id, properties }: ResolvedResource): CloudSchedule => {
  const { ScheduleExpression, Targets = [] } = properties as {
    ScheduleExpression?: string;
    Targets?: { Arn: string; Input?: string }[];
  };
  const [target, ...others] = Targets;
  if (!ScheduleExpression || !target || others.length > 0)
    throw new UserError(`The local stage knows rules with a schedule and one function: ${id} is another.`);
  const functionId = /:function:([^/:]+)/.exec(target.Arn)?.[1] ?? '';
  return { id, functionId, everyMs: everyMsOf(ScheduleExpression), input: JSON.parse(target.Input ?? '{}') };
};

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** `rate(1 hour)`, `rate(5 minutes)`. */
const everyMsOf = (expression: string): number => {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new UserError(`The local stage does not know the schedule ${expression}.`);
};
