import type { APIGatewayProxyResult } from 'aws-lambda';
import type { FunctionName } from '../../../localstack/embedded/wiring.ts';
import { type Ask, httpEvent } from '../builders/http-event.ts';
import type { ServiceStage } from './open-stage.ts';

/** Another process of a function of a stage, with other variables than the wiring's, asked as by the gateway. */
export const instanceOf = async (
  stage: ServiceStage,
  name: FunctionName,
  variables: Record<string, string> = {},
) => {
  const call = await stage.start(name, variables);
  return async (target: string, ask: Ask = {}) => {
    const { requestContext, ...event } = httpEvent(target, ask);
    const identity = { sourceIp: '127.0.0.1' };
    const outcome = await call({ ...event, requestContext: { ...requestContext, identity } });
    if (!outcome.ok) throw new Error(`${name} ${outcome.reason}`);
    const { statusCode, headers = {}, body }: APIGatewayProxyResult = JSON.parse(outcome.value);
    const isJson = String(headers['Content-Type']).includes('json');
    return { status: statusCode, headers, text: body, body: isJson ? JSON.parse(body) : undefined };
  };
};
