import type { Outputs } from './cdk.ts';
import type { Ministack } from './ministack.ts';

/** The service as deployed: where its two APIs say they are, and a way to get there. */
export type Deployed = {
  baseUrl: string;
  authUrl: string;
  /** Sends a request to an address under one of the two. Redirects are answers, not followed. */
  send: (url: string, init?: RequestInit) => Promise<Answer>;
  /** All answers so far. */
  answers: readonly Answer[];
};

/** An answer, read to the end. */
export type Answer = { request: string; status: number; headers: Headers; text: string };

export const deployedAt = ({ endpoint }: Ministack, outputs: Outputs): Deployed => {
  const answers: Answer[] = [];
  return {
    baseUrl: outputNamed(outputs, 'BaseUrl'),
    authUrl: outputNamed(outputs, 'AuthUrl'),
    answers,
    send: async (url, init = {}) => {
      const answer = await request(inEmulator(endpoint, url), init);
      answers.push(answer);
      return answer;
    },
  };
};

const request = async (url: string, init: RequestInit): Promise<Answer> => {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(20_000), ...init });
  const { status, headers } = response;
  return { request: `${init.method ?? 'GET'} ${url}`, status, headers, text: await response.text() };
};

export const outputNamed = (outputs: Outputs, name: string) => {
  const value = Object.values(outputs)
    .map((stack) => stack[name])
    .find(Boolean);
  if (value === undefined) throw new Error(`No stack has an output ${name}: ${JSON.stringify(outputs)}`);
  return value.replace(/\/$/, '');
};

/** https://<id>.execute-api.<region>.amazonaws.com/<stage>/… has no name on this machine: the emulator takes it as a path. */
const inEmulator = (endpoint: string, url: string) => {
  const { hostname, pathname, search } = new URL(url);
  const id = /^([a-z0-9]+)\.execute-api\./.exec(hostname)?.[1];
  if (id === undefined) throw new Error(`Not an address of the deployed API: ${url}`);
  return `${endpoint}/_aws/execute-api/${id}${pathname}${search}`;
};
