import { type Problem, problem } from '../http/problem.ts';
import { isUnavailable } from '../store/dynamodb/failure.ts';

/** ERR-4: nothing of the cause leaves the service. */
export const faultProblem = (fault: unknown): Problem =>
  isUnavailable(fault)
    ? problem('unavailable', { headers: { 'Retry-After': '2' } })
    : problem('internal-error');
