import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import type { Invoke } from '../instances.ts';
import { type LoopbackServer, openLoopback } from '../loopback.ts';
import { arn, type FunctionName, functionNames } from '../wiring.ts';

/** The answer of an AWS service: a body, or a fault by AWS's name. */
export type AwsAnswer = { status: number; body: Record<string, unknown> };
export type Operation = (input: unknown) => AwsAnswer | Promise<AwsAnswer>;
/** Operations by their full names, such as `AmazonSQS.SendMessage`. */
export type Operations = Record<string, Operation>;

export const success = (body: Record<string, unknown> = {}): AwsAnswer => ({ status: 200, body });
export const fault = (type: string, message: string): AwsAnswer => ({
  status: 400,
  body: { __type: type, message },
});

/** An operation on parsed input. A member that the schema does not know is refused as well as a wrong one, by name. */
export const operation =
  <Schema extends z.ZodType>(
    schema: Schema,
    perform: (input: z.output<Schema>) => AwsAnswer | Promise<AwsAnswer>,
  ): Operation =>
  (input) => {
    const parsed = schema.safeParse(input);
    return parsed.success ? perform(parsed.data) : fault('ValidationException', sentenceOf(parsed.error));
  };

const sentenceOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ');

/** A request to AWS; `caller` is the function that sends it, if one does. */
type AwsCall = { target: string; input: unknown; caller: string | undefined };
/** Answers a request in place of the service, or lets it pass with undefined. */
type Interfere = (call: AwsCall) => AwsAnswer | undefined | Promise<AwsAnswer | undefined>;

export type AwsServer = LoopbackServer & {
  /** Sets what answers: the services need the address first. */
  serve: (operations: Operations, invoke: Invoke) => void;
  /** From now on this sees each request first; without an argument nothing does. */
  interfere: (by?: Interfere) => void;
};

/** The address of AWS: SQS, EventBridge and Secrets Manager in the JSON protocol, and the Invoke of Lambda. */
export const openAws = async (): Promise<AwsServer> => {
  let operations: Operations = {};
  let invoke: Invoke | undefined;
  let interfere: Interfere = () => undefined;

  const answerTo = async (request: IncomingMessage): Promise<AwsAnswer> => {
    const sent = await text(request);
    const target = String(request.headers['x-amz-target'] ?? request.url);
    const input = parsed(sent);
    if (input === undefined) return fault('SerializationException', 'The request is not JSON.');
    const { value } = input;
    const taken = await interfere({ target, input: value, caller: callerOf(request) });
    if (taken) return taken;
    const perform = operations[target];
    return perform
      ? perform(value)
      : fault('UnknownOperationException', `The embedded stage does not know ${target}.`);
  };

  const server = await openLoopback(async (request, response) => {
    try {
      const invoked = /^\/2015-03-31\/functions\/([^/?]+)\/invocations$/.exec(request.url ?? '')?.[1];
      if (invoked !== undefined) await answerInvoke(request, response, { invoked, invoke });
      else {
        const { status, body } = await answerTo(request);
        send(response, status, body);
      }
    } catch (error) {
      send(response, 500, { __type: 'InternalException', message: String(error) });
    }
  });
  return {
    ...server,
    serve: (all, by) => {
      operations = all;
      invoke = by;
    },
    interfere: (by = () => undefined) => {
      interfere = by;
    },
  };
};

/** Functions name themselves in the SDK's own way; Powertools puts its own name behind theirs. */
export const callerOf = ({ headers }: IncomingMessage): string | undefined =>
  /\bapp\/([a-z0-9-]+?)(?=-PT-|\s|$)/.exec(headers['user-agent'] ?? '')?.[1];

const parsed = (sent: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(sent || '{}') };
  } catch {
    return undefined;
  }
};

const send = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) =>
  response
    .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1', ...headers })
    .end(JSON.stringify(body));

/** Invoke succeeds also for a function that fails; a header reports the failure. Versions are not known. */
const answerInvoke = async (
  request: IncomingMessage,
  response: ServerResponse,
  { invoked, invoke }: { invoked: string; invoke: Invoke | undefined },
) => {
  const refuse = (status: number, type: string, Message: string) =>
    send(response, status, { Type: 'User', Message }, { 'X-Amzn-ErrorType': type });
  const name = functionNames.find(
    (one) => one === decodeURIComponent(invoked).replace(/^.*function:/, ''),
  ) satisfies FunctionName | undefined;
  if (!name || !invoke) {
    const missing = `Function not found: ${arn('lambda', `function:${invoked}`)}`;
    return refuse(404, 'ResourceNotFoundException', missing);
  }
  const { 'x-amz-invocation-type': type = 'RequestResponse' } = request.headers;
  if (type !== 'RequestResponse')
    return refuse(
      400,
      'InvalidParameterValueException',
      `The embedded stage does not know the type ${type}.`,
    );
  const event = parsed(await text(request));
  if (!event) return refuse(400, 'InvalidRequestContentException', 'The payload is not JSON.');
  const outcome = await invoke(name, event.value);
  const headers = { 'X-Amz-Executed-Version': '$LATEST' };
  if (outcome.ok) return response.writeHead(200, headers).end(outcome.value);
  const { reason } = outcome;
  const [, errorType = 'Error', errorMessage = reason] = /^threw (\w+): (.*)$/s.exec(reason) ?? [];
  return send(
    response,
    200,
    { errorType, errorMessage },
    { ...headers, 'X-Amz-Function-Error': 'Unhandled' },
  );
};
