import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import type { Invoke } from '../instances.ts';
import { type LoopbackServer, openLoopback } from '../loopback.ts';
import { functionNames } from '../wiring.ts';

/** The answer of an AWS service: a body, or a fault by AWS's name. */
export type AwsAnswer = { status: number; body: unknown; headers?: Record<string, string> };
export type Operation = (input: unknown) => AwsAnswer | Promise<AwsAnswer>;
/** Operations by their full names, such as `AmazonSQS.SendMessageBatch`. */
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

/** Lambda's Invoke, which succeeds also for a function that fails; a header reports the failure. */
export const invokeOperations = (invoke: Invoke): Operations =>
  Object.fromEntries(
    functionNames.map((name) => [
      `/2015-03-31/functions/${name}/invocations`,
      async (event) => {
        const outcome = await invoke(name, event);
        if (outcome.ok) return { status: 200, body: JSON.parse(outcome.value) };
        const headers = { 'X-Amz-Function-Error': 'Unhandled' };
        return { status: 200, headers, body: { errorType: 'Error', errorMessage: outcome.reason } };
      },
    ]),
  );

/** A request to AWS; `caller` is the function that sends it, if one does. */
type AwsCall = { target: string; input: unknown; caller: string | undefined };
/** Answers a request in place of the service, or lets it pass with undefined. */
type Interfere = (call: AwsCall) => AwsAnswer | undefined | Promise<AwsAnswer | undefined>;

export type AwsServer = LoopbackServer & {
  /** Sets what answers: the services need the address first. */
  serve: (operations: Operations) => void;
  /** From now on this sees each request first; without an argument nothing does. */
  interfere: (by?: Interfere) => void;
};

/** The address of AWS: SQS, EventBridge and Secrets Manager in the JSON protocol, and the Invoke of Lambda. */
export const openAws = async (): Promise<AwsServer> => {
  let operations: Operations = {};
  let interfere: Interfere = () => undefined;

  const answerTo = async (request: IncomingMessage): Promise<AwsAnswer> => {
    const input: unknown = JSON.parse((await text(request)) || '{}');
    const target = String(request.headers['x-amz-target'] ?? request.url);
    const taken = await interfere({ target, input, caller: callerOf(request) });
    const unknown = () => fault('UnknownOperationException', `The embedded stage does not know ${target}.`);
    return taken ?? (operations[target] ?? unknown)(input);
  };

  const server = await openLoopback(async (request, response) => {
    const { status, body, headers } = await answerTo(request).catch(
      (error): AwsAnswer => ({ status: 500, body: { __type: 'InternalException', message: String(error) } }),
    );
    response
      .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1', ...headers })
      .end(JSON.stringify(body));
  });
  return {
    ...server,
    serve: (all) => {
      operations = all;
    },
    interfere: (by = () => undefined) => {
      interfere = by;
    },
  };
};

/** Functions name themselves in the SDK's own way; Powertools puts its own name behind theirs. */
export const callerOf = ({ headers }: IncomingMessage): string | undefined =>
  /\bapp\/([a-z0-9-]+?)(?=-PT-|\s|$)/.exec(headers['user-agent'] ?? '')?.[1];
