import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { HandlerResult, Problem, ProblemWriter } from '../http/problem.ts';
import { toProxyResult } from '../http/proxy-result.ts';
import { type HttpEvent, headerValues } from '../http/request.ts';
import type { HttpResponse, ResponseHeaders } from '../http/response.ts';
import type { Clock } from '../runtime/clock.ts';
import type { LogFacts, RequestLog } from '../runtime/logger.ts';
import { isUnavailable } from '../store/dynamodb/failure.ts';
import { faultProblem } from './faults.ts';

export type RespondDeps = {
  log: RequestLog;
  clock: Clock;
  /** How problems are written. The token service has another form (ERR-6). */
  writeProblem: ProblemWriter;
};

/** Set by middleware: headers for every response (including faults), and the caller's id for the log. */
export type PipelineEvent = HttpEvent & {
  responseHeaders?: ResponseHeaders;
  partner?: { clientId: string };
};

/** The ids of a request in logs and reports (ERR-5). */
type RequestIds = { requestId: string; correlationId?: string };

type IdentifiedEvent = PipelineEvent & RequestIds;

/**
 * The outermost layer of every HTTP function: the caller always gets one response with a request id, a fault becomes
 * 500 or 503 once (ERR-4), and one line is logged. It wraps middy, because an early response of a middleware skips the
 * `after` of all others.
 */
export const respond =
  <Event extends PipelineEvent>(
    { log, clock, writeProblem }: RespondDeps,
    inner: (event: Event & RequestIds, context: Context) => Promise<HandlerResult>,
  ) =>
  async (event: HttpEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const startedAtMs = clock().getTime();
    // The inner layers add the other members of their handler's event.
    const identified = Object.assign(event, requestIdsOf(event, context)) as Event & RequestIds;
    const result = await withoutFaults(log, identified, () => inner(identified, context));
    const response = toResponse(result, (refusal) => writeProblem(refusal, identified));
    const proxyResult = toProxyResult(event, response, {
      ...identified.responseHeaders,
      ...requestIdHeaders(identified),
    });
    const durationMs = clock().getTime() - startedAtMs;
    log('requestAnswered', { ...factsOf(identified), status: proxyResult.statusCode, durationMs });
    return proxyResult;
  };

/** The gateway's id, which its own responses have, too. `X-Correlation-Id` only if it is well formed. */
const requestIdsOf = (event: HttpEvent, context: Pick<Context, 'awsRequestId'>): RequestIds => {
  const requestId = event.requestContext?.requestId ?? context.awsRequestId;
  const [correlationId, ...others] = headerValues(event, 'X-Correlation-Id');
  const isWellFormed = others.length === 0 && /^[\w.:-]{1,128}$/.test(correlationId ?? '');
  return { requestId, ...(correlationId !== undefined && isWellFormed && { correlationId }) };
};

const withoutFaults = async (
  log: RequestLog,
  event: IdentifiedEvent,
  inner: () => Promise<HandlerResult>,
) => {
  try {
    return await inner();
  } catch (fault) {
    log(isUnavailable(fault) ? 'storeUnavailable' : 'requestFailed', factsOf(event), fault);
    return faultProblem(fault);
  }
};

const toResponse = (result: HandlerResult, write: (refusal: Problem) => HttpResponse): HttpResponse => {
  return 'body' in result ? result : write(result);
};

const requestIdHeaders = ({ requestId, correlationId }: RequestIds): ResponseHeaders => ({
  'Request-Id': requestId,
  ...(correlationId !== undefined && { 'X-Correlation-Id': correlationId }),
});

const factsOf = ({ requestId, correlationId, httpMethod, resource, partner }: IdentifiedEvent): LogFacts => ({
  requestId,
  ...(correlationId !== undefined && { correlationId }),
  method: httpMethod,
  route: resource,
  ...(partner && { clientId: partner.clientId }),
});
