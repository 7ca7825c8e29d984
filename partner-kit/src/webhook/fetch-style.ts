import type { Receiver } from './receiver.ts';
import type { BodyFault, Verdict } from './verdict.ts';

/** For servers with Request and Response: Deno, Bun, Cloudflare Workers, Hono, Next.js and others. */
export type FetchHandler = (
  request: Request,
  /** `waitUntil` of the platform, if it stops work after an answer. */
  context?: { waitUntil?: (work: Promise<unknown>) => void },
) => Promise<Response>;

export const fetchHandler =
  (receiver: Receiver): FetchHandler =>
  async (request, context) => {
    const verdict = await receiver.receive(
      {
        method: request.method,
        header: (name) => request.headers.get(name) ?? undefined,
        body: async () => (await receiver.inTime(bodyOf(request, receiver).catch(brokenOff))) ?? 'too-slow',
      },
      (work) => context?.waitUntil?.(work),
    );
    return responseOf(verdict);
  };

/** A sender that closes the connection early gets no answer, and sends the message again. */
const brokenOff = (): BodyFault => 'broken-off';

const responseOf = ({ status, reason }: Verdict) =>
  reason === undefined ? new Response(null, { status }) : Response.json({ error: reason }, { status });

const bodyOf = async (
  request: Request,
  { bodyLimit, onFault }: Receiver,
): Promise<{ value: string } | BodyFault> => {
  if (request.bodyUsed) {
    onFault(
      new Error('The body of the request was read before the receiver saw it: give it a request.clone().'),
    );
    return 'body-consumed';
  }
  const text = await textWithin(request.body, bodyLimit);
  return text === undefined ? 'too-large' : { value: text };
};

/** Undefined if it is too large. The rest is not stored. */
const textWithin = async (
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<string | undefined> => {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > limit) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
};
