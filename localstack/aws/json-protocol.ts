import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { openLoopbackServer } from '../loopback/server.ts';

/** The answer of an AWS service: a body, or a fault by AWS's name. */
export type AwsResponse = { status: number; body: Record<string, unknown> };
export type Operation = (input: unknown) => AwsResponse | Promise<AwsResponse>;
export type Operations = Record<string, Operation>;

export type JsonServer = {
  endpoint: string;
  /** Sets the operations. Before, every operation is refused: a service needs its address first. */
  serve: (operations: Operations) => void;
  stop: () => Promise<void>;
};

/** Starts a loopback service with AWS's JSON protocol: the operation in `X-Amz-Target`, input and answer as JSON. */
export const startJsonServer = async ({
  prefix,
  version,
}: {
  prefix: string;
  version: string;
}): Promise<JsonServer> => {
  let operations: Operations = {};
  const { url, stop } = await openLoopbackServer(async (request, response) => {
    const target = String(request.headers['x-amz-target']);
    const perform = operations[target.replace(`${prefix}.`, '')] ?? unknown(target);
    const { status, body } = await answer(perform, request);
    response.writeHead(status, { 'Content-Type': `application/x-amz-json-${version}` });
    response.end(JSON.stringify(body));
  });
  return {
    endpoint: url,
    serve: (all) => {
      operations = all;
    },
    stop,
  };
};

const unknown = (target: string) => () =>
  fault('UnknownOperationException', `The local stage does not know ${target}.`);

const answer = async (perform: Operation, request: IncomingMessage): Promise<AwsResponse> => {
  try {
    return await perform(JSON.parse(await text(request)));
  } catch (error) {
    if (error instanceof SyntaxError) return fault('SerializationException', 'The request is not JSON.');
    return { status: 500, body: { __type: 'InternalException', message: String(error) } };
  }
};

export const success = (body: Record<string, unknown> = {}): AwsResponse => ({ status: 200, body });
export const fault = (type: string, message: string): AwsResponse => ({
  status: 400,
  body: { __type: type, message },
});

/** An operation on parsed input. It refuses input that the schema does not accept, by member. */
export const operation =
  <Schema extends z.ZodType>(
    schema: Schema,
    perform: (input: z.output<Schema>) => AwsResponse | Promise<AwsResponse>,
  ): Operation =>
  (input) => {
    const parsed = schema.safeParse(input);
    return parsed.success ? perform(parsed.data) : fault('ValidationException', sentenceOf(parsed.error));
  };

const sentenceOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ');
