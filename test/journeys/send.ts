import type { Reach } from './world.ts';

/** Longer than the gateway waits for a function (29 s). */
const patienceMs = 35_000;

/** Sends by a kind of `fetch`, and reads the answer to the end. */
export const sendBy =
  (fetchOne: (url: string, init: RequestInit) => Promise<Response>): Reach['send'] =>
  async (url, init = {}) => {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetchOne(url, { redirect: 'manual', signal, ...init });
    const { status, headers } = response;
    return { request: `${init.method ?? 'GET'} ${url}`, status, headers, text: await response.text() };
  };

/** Sends to AWS; with an endpoint, to the emulator that answers there. */
export const sendTo = (endpoint: string | undefined): Reach['send'] =>
  sendBy((url, init) => fetch(inEmulator(endpoint, url), init));

/** The names of API Gateway do not lead to an emulator, which takes the id of an API in the path. */
const inEmulator = (endpoint: string | undefined, url: string): string => {
  const { hostname, pathname, search } = new URL(url);
  const id = /^([a-z0-9]+)\.execute-api\./.exec(hostname)?.[1];
  if (endpoint === undefined || id === undefined) return url;
  return `${endpoint}/_aws/execute-api/${id}${pathname}${search}`;
};
