import type { Receiver } from './receiver.ts';
import type { BodyFault, Verdict } from './verdict.ts';

/**
 * The part of Node's request that is needed, so that the kit depends on no types of Node. Express's request fits as
 * well.
 */
export type NodeRequest = AsyncIterable<unknown> & {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly readableEnded?: boolean;
  /** The place of a body parser's result. */
  readonly body?: unknown;
};
export type NodeResponse = {
  writeHead(status: number, headers?: Record<string, string>): unknown;
  end(text?: string): unknown;
};

/** For `http.createServer` and for Express, with or without a body parser before it. */
export const nodeHandler =
  (receiver: Receiver) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const verdict = await receiver.receive({
      method: request.method ?? '',
      header: (name) => [request.headers[name]].flat()[0],
      body: async () => (await receiver.inTime(bodyOf(request, receiver).catch(brokenOff))) ?? 'too-slow',
    });
    answer(response, verdict);
  };

/** A sender that closes the connection early gets no answer, and sends the message again. */
const brokenOff = (): BodyFault => 'broken-off';

const answer = (response: NodeResponse, { status, reason }: Verdict) => {
  // After a body that is too large or too slow, the rest may still arrive.
  const close = status === 408 || status === 413 ? { Connection: 'close' } : {};
  response.writeHead(status, {
    ...(reason !== undefined && { 'Content-Type': 'application/json' }),
    ...close,
  });
  response.end(reason === undefined ? undefined : JSON.stringify({ error: reason }));
};

/**
 * The signature does not depend on the body's bytes, so a parsed body is as good as its text. If a parser read the
 * stream and left nothing, the message cannot be read, and the error says so.
 */
const bodyOf = async (request: NodeRequest, receiver: Receiver): Promise<{ value: unknown } | BodyFault> => {
  if (request.readableEnded !== true) return streamed(request, receiver.bodyLimit);
  const { body } = request;
  if (typeof body === 'string') return { value: body };
  if (body instanceof Uint8Array) return { value: new TextDecoder().decode(body) };
  if (typeof body === 'object' && body !== null && Object.keys(body).length > 0) return { value: body };
  receiver.onFault(
    new Error(
      'A body parser read the webhook and left nothing of it: mount the receiver before the parsers, or use express.raw.',
    ),
  );
  return 'body-consumed';
};

/** Reads to the end even if it is too large, so that the sender gets the answer. */
const streamed = async (request: NodeRequest, limit: number): Promise<{ value: string } | BodyFault> => {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const part of request) {
    const bytes = part instanceof Uint8Array ? part : new TextEncoder().encode(String(part));
    size += bytes.length;
    if (size <= limit) text += decoder.decode(bytes, { stream: true });
  }
  return size > limit ? 'too-large' : { value: text + decoder.decode() };
};
