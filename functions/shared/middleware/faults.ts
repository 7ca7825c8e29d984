import { type Problem, problem, unavailable } from '../http/problem.ts';
import { isUnavailable } from '../store/dynamodb/failure.ts';

/** 503 if a retry may help, else 500. The response contains nothing of the cause (ERR-4). */
export const faultProblem = (fault: unknown): Problem =>
  isUnavailable(fault) ? unavailable() : problem('internal-error');
