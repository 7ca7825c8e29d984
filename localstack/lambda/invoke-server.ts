import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { arn } from '../aws/names.ts';
import { openLoopbackServer } from '../loopback/server.ts';
import type { FunctionPool, InvocationOutcome } from './function-pool.ts';

export type InvokeServer = {
  endpoint: string;
  /** Sets the functions, which need the endpoint first. */
  serve: (functions: InvokedFunctions) => void;
  stop: () => Promise<void>;
};
type InvokedFunctions = ReadonlyMap<string, Pick<FunctionPool, 'invoke'>>;
type Answer = { status: number; headers?: Record<string, string>; body: string };

/** Starts the only operation of Lambda that our code uses, on loopback: a synchronous Invoke. */
export const startInvokeServer = async (): Promise<InvokeServer> => {
  let functions: InvokedFunctions = new Map();
  const { url, stop } = await openLoopbackServer(async (request, response) => {
    const unreadable = (error: unknown) => fault(500, 'ServiceException', String(error));
    send(response, await answer(functions, request).catch(unreadable));
  });
  return {
    endpoint: url,
    serve: (all) => {
      functions = all;
    },
    stop,
  };
};

const answer = async (functions: InvokedFunctions, request: IncomingMessage): Promise<Answer> => {
  const name = invokedName(request);
  if (name === undefined)
    return fault(404, 'UnknownOperationException', 'The local stage supports only Invoke.');
  const called = functions.get(name);
  if (!called)
    return fault(
      404,
      'ResourceNotFoundException',
      `Function not found: ${arn('lambda', `function:${name}`)}`,
    );
  const { 'x-amz-invocation-type': type = 'RequestResponse' } = request.headers;
  if (type !== 'RequestResponse')
    return fault(400, 'InvalidParameterValueException', `The local stage does not know the type ${type}.`);
  const event = parsed(await text(request));
  if (!event) return fault(400, 'InvalidRequestContentException', 'The payload is not JSON.');
  return answerOf(await called.invoke(event.value, randomUUID()));
};

/** The function's name, given by name or ARN. Versions are not known. */
const invokedName = ({ method, url = '' }: IncomingMessage): string | undefined => {
  const [, given] = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/.exec(url) ?? [];
  if (method !== 'POST' || given === undefined) return undefined;
  return decodeURIComponent(given).replace(/^.*function:/, '');
};

const parsed = (payload: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(payload || '{}') };
  } catch {
    return undefined;
  }
};

/** Invoke succeeds also for a function that fails; a header reports the failure. */
const answerOf = (outcome: InvocationOutcome): Answer => {
  const headers = { 'X-Amz-Executed-Version': '$LATEST' };
  if (outcome.ok) return { status: 200, headers, body: outcome.value };
  const { reason } = outcome;
  const [, errorType = 'Error', errorMessage = reason] = /^threw (\w+): (.*)$/s.exec(reason) ?? [];
  return {
    status: 200,
    headers: { ...headers, 'X-Amz-Function-Error': 'Unhandled' },
    body: JSON.stringify({ errorType, errorMessage }),
  };
};

const fault = (status: number, type: string, message: string): Answer => ({
  status,
  headers: { 'X-Amzn-ErrorType': type },
  body: JSON.stringify({ Type: 'User', Message: message }),
});

const send = (response: ServerResponse, { status, headers, body }: Answer) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
