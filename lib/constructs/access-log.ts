/**
 * What an access log line tells: no `Authorization`, no query, no uuid of the path (S-59). `resource` is the route's
 * pattern, as in /api/v2/transaction/{uuid}.
 */
export const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  resource: '$context.resourcePath',
  status: '$context.status',
  responseLength: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integrationLatency',
  gatewayError: '$context.error.responseType',
} as const;
