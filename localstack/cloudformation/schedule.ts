import { UserError } from '../../bin/operator/user-error.ts';
import type { CloudSchedule, ResolvedResource } from './model.ts';

export const scheduleOf = ({ id, properties }: ResolvedResource): CloudSchedule => {
  const { Arn, Input = '{}' } = properties.Target as { Arn: string; Input?: string };
  const functionId = /:function:([^/:]+)/.exec(Arn)?.[1] ?? '';
  return {
    id,
    functionId,
    everyMs: everyMsOf(String(properties.ScheduleExpression)),
    input: JSON.parse(Input),
  };
};

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** `rate(1 hour)`, `rate(5 minutes)`. */
const everyMsOf = (expression: string): number => {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new UserError(`The local stage does not know the schedule ${expression}.`);
};
