import type { Context } from 'aws-lambda';
import { type HttpEvent, headerValues } from '../http/request.ts';
import type { AnswerHeaders } from '../http/response.ts';

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
export const requestIdHeaders = ({ requestId, correlationId }: RequestIds): AnswerHeaders => ({
  'Request-Id': requestId,
  ...(correlationId !== undefined && { 'X-Correlation-Id': correlationId }),
});
