import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import {
  type HandlerResult,
  type Problem,
  type ProblemWriter,
  problem,
  writeProblemJson,
} from '../http/problem.ts';
import { isTooLarge, toProxyResult } from '../http/proxy-result.ts';
import { type HttpEvent, headerValues } from '../http/request.ts';
import type { HttpResponse, ResponseHeaders } from '../http/response.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log, LogFacts } from '../runtime/logger.ts';
import { isUnavailable } from '../store/dynamodb/failure.ts';
import { faultProblem } from './faults.ts';
export type RespondDeps = {
  log: Log;
  clock: Clock;
  /** How problems are written; the token service speaks another shape (ERR-6). */
  writeProblem?: ProblemWriter;
};

/** An event to which middleware may add headers for whatever is answered, a fault too, and who asked, for the log. */
export type PipelineEvent = HttpEvent & { responseHeaders?: ResponseHeaders; partner?: { clientId: string } };

/** An event that knows its ids. */
export type IdentifiedEvent = PipelineEvent & RequestIds;

/**
 * The outermost layer of every HTTP function: whatever happens inside, the caller gets one answer with a request id
 * (ERR-5), a fault becomes 500 or 503 once (ERR-4), and one line is logged. It stands around middy because an answer
 * given early by a middleware skips the `after` of all others.
 */
export const respond =
  <Event extends PipelineEvent>(
    { log, clock, writeProblem = writeProblemJson }: RespondDeps,
    inner: (event: Event & RequestIds, context: Context) => Promise<HandlerResult>,
  ) =>
  async (event: HttpEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const startedAtMs = clock().getTime();
    // The layers inside add what their handler's event has beyond this.
    const identified = Object.assign(event, requestIdsOf(event, context)) as Event & RequestIds;
    const answer = await caughtOnce(log, identified, () => inner(identified, context));
    const written = writeAnswer(answer, (refusal) => writeProblem(refusal, identified));
    const result = toProxyResult(event, written, {
      ...identified.responseHeaders,
      ...requestIdHeaders(identified),
    });
    const durationMs = clock().getTime() - startedAtMs;
    log('requestAnswered', { ...factsOf(identified), status: result.statusCode, durationMs });
    return result;
  };

const caughtOnce = async (log: Log, event: IdentifiedEvent, inner: () => Promise<HandlerResult>) => {
  try {
    return await inner();
  } catch (fault) {
    log(isUnavailable(fault) ? 'storeUnavailable' : 'requestFailed', factsOf(event), fault);
    return faultProblem(fault);
  }
};

const writeAnswer = (answer: HandlerResult, write: (refusal: Problem) => HttpResponse): HttpResponse => {
  if (!isWritten(answer)) return write(answer);
  return isTooLarge(answer) ? write(problem('answer-too-large')) : answer;
};

const isWritten = (answer: HandlerResult): answer is HttpResponse => 'body' in answer;

const factsOf = ({ requestId, correlationId, httpMethod, resource, partner }: IdentifiedEvent): LogFacts => ({
  requestId,
  ...(correlationId !== undefined && { correlationId }),
  method: httpMethod,
  route: resource,
  ...(partner && { clientId: partner.clientId }),
});

/** Who asked what is told apart in logs and reports by these (ERR-5). */
export type RequestIds = { requestId: string; correlationId?: string };

/** The gateway's id, which its own answers carry too; `X-Correlation-Id` only when it is well formed (ERR-5). */
export const requestIdsOf = (event: HttpEvent, context: Pick<Context, 'awsRequestId'>): RequestIds => {
  const requestId = event.requestContext?.requestId ?? context.awsRequestId;
  const [correlationId, ...others] = headerValues(event, 'X-Correlation-Id');
  const isWellFormed = others.length === 0 && /^[\w.:-]{1,128}$/.test(correlationId ?? '');
  return { requestId, ...(correlationId !== undefined && isWellFormed && { correlationId }) };
};

/** Both ids as headers of the answer. */
export const requestIdHeaders = ({ requestId, correlationId }: RequestIds): ResponseHeaders => ({
  'Request-Id': requestId,
  ...(correlationId !== undefined && { 'X-Correlation-Id': correlationId }),
});
