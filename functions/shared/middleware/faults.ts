import { type Problem, problem, unavailable } from '../http/problem.ts';
import { isUnavailable } from '../store/dynamodb/failure.ts';

/** 503 where trying again later may help, else 500; nothing of the cause leaves the service (ERR-4). */
export const faultProblem = (fault: unknown): Problem =>
  isUnavailable(fault) ? unavailable() : problem('internal-error');
