import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The rights that a request needs, by its `X-Amz-Target` and its body. */
export type RightsOf = (target: string, body: Buffer) => string[];

/** Forwards requests of AWS's JSON protocol to a service, and records who used which right. */
export const startRecorder = async (endpoint: string, rightsOf: RightsOf) => {
  const used = new Map<string, Set<string>>();
  const note = (caller: string, rights: string[]) =>
    used.set(caller, new Set([...(used.get(caller) ?? []), ...rights]));
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    note(callerOf(request), rightsOf(String(request.headers['x-amz-target']), body));
    const answer = await passOn(endpoint, request, body);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    usedBy: (caller: string) => [...(used.get(caller) ?? [])].sort(),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** What a service answers to a request of AWS's JSON protocol that was meant for it. */
export const passOn = async (endpoint: string, request: IncomingMessage, body: Buffer) => {
  const answer = await fetch(endpoint, { method: 'POST', headers: headersOf(request), body });
  const type = answer.headers.get('Content-Type') ?? 'application/x-amz-json-1.0';
  const headers = { 'Content-Type': type };
  return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
};

/** The stage has its functions name themselves in the SDK's own way; Powertools puts its own name behind theirs. */
const callerOf = ({ headers }: IncomingMessage) =>
  /\bapp\/([a-z0-9-]+?)(?=-PT-|\s|$)/.exec(headers['user-agent'] ?? '')?.[1] ?? '';

const headersOf = ({ headers }: IncomingMessage) => ({
  'Content-Type': String(headers['content-type']),
  'X-Amz-Target': String(headers['x-amz-target']),
  Authorization: String(headers.authorization),
  'X-Amz-Date': String(headers['x-amz-date']),
});
