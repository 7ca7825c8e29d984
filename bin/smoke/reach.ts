import { setTimeout as wait } from 'node:timers/promises';
import { connect, type SecureVersion } from 'node:tls';
import { systemClock } from '../../functions/shared/runtime/clock.ts';
import type { Answer } from './answer.ts';
import type { Reach } from './visit.ts';

/** Longer than the gateway waits for a function (29 s). */
const patienceMs = 35_000;

/** Reaches a stage over the network; with an endpoint, in the emulator that answers there. */
export const reachOver = (endpoint: string | undefined, certificates?: { ca: string }): Reach => ({
  send: (url, init = {}) => send(inEmulator(endpoint, url), init),
  takes: (url, version) => takes(new URL(inEmulator(endpoint, url)), version, certificates),
  wait,
  now: systemClock,
  isEmulated: endpoint !== undefined,
});

const send = async (url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
    ...init,
  });
  const { status, headers } = response;
  return { request: `${init.method ?? 'GET'} ${url}`, status, headers, text: await response.text() };
};

/** The names of API Gateway do not lead to an emulator, which takes the id of an API in the path. */
export const inEmulator = (endpoint: string | undefined, url: string): string => {
  const { hostname, pathname, search } = new URL(url);
  const id = /^([a-z0-9]+)\.execute-api\./.exec(hostname)?.[1];
  if (endpoint === undefined || id === undefined) return url;
  return `${endpoint}/_aws/execute-api/${id}${pathname}${search}`;
};

/** Old versions need ciphers that this side would not offer by itself (OpenSSL's security level 0). */
const takes = (
  { protocol, hostname, port }: URL,
  version: SecureVersion,
  certificates: { ca: string } | undefined,
): Promise<boolean> =>
  new Promise((resolve) => {
    if (protocol !== 'https:') return resolve(false);
    const socket = connect({
      host: hostname,
      servername: hostname,
      port: Number(port || 443),
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
      timeout: 10_000,
      ...certificates,
    });
    const end = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
