import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { pythonEnvironment } from '../deploy/python.ts';
import { root } from '../support/repository.ts';
import type { Credentials } from '../support/stage/partner-client.ts';
import { endpointOf, type ForeignClient, listOf, type Service, scope } from './foreign-client.ts';

/** `curl`, a process for each request. */
export const withCurl = (service: Service): ForeignClient => {
  const curl = async (...args: string[]) => (await promisify(execFile)('curl', ['-sS', ...args])).stdout;
  const form = async (
    endpoint: 'token' | 'introspect' | 'revoke',
    { clientId, clientSecret }: Credentials,
    ...fields: string[]
  ) => {
    const data = fields.flatMap((field) => ['--data-urlencode', field]);
    return curl(
      '--fail-with-body',
      '-u',
      `${clientId}:${clientSecret}`,
      ...data,
      endpointOf(service, endpoint),
    );
  };
  return {
    name: 'curl',
    fetch: async (credentials) =>
      JSON.parse(await form('token', credentials, 'grant_type=client_credentials', `scope=${scope}`))
        .access_token,
    use: async (token) =>
      Number(
        await curl(
          '-o',
          '/dev/null',
          '-w',
          '%{http_code}',
          '-H',
          `Authorization: Bearer ${token}`,
          listOf(service),
        ),
      ),
    introspect: async (token, credentials) =>
      JSON.parse(await form('introspect', credentials, `token=${token}`)).active,
    revoke: async (token, credentials) => {
      await form('revoke', credentials, `token=${token}`);
    },
  };
};

/** The Python that has both libraries; installed once, and kept. */
export const pythonWithClients = () =>
  pythonEnvironment({
    folder: join(root, '.local', 'oauth-clients'),
    requirementsFile: join(import.meta.dirname, 'requirements.txt'),
    modules: 'requests_oauthlib, authlib',
  });

type Step = { step: 'fetch' | 'use' | 'introspect' | 'revoke'; token?: string; url?: string };

/** A library of Python, in a process that stays. */
export const withPython = (
  service: Service,
  { python, library }: { python: string; library: 'requests-oauthlib' | 'Authlib' },
): ForeignClient => {
  const program = join(import.meta.dirname, 'oauth_client.py');
  const child = spawn(python, [program, library], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (step: Step, credentials: Credentials) => {
    child.stdin.write(`${JSON.stringify({ ...step, authUrl: service.authUrl, ...credentials })}\n`);
    const { value: line } = await lines.next();
    const { value, fault } = JSON.parse(line ?? '{"fault":"it ended"}');
    if (fault !== undefined) throw new Error(fault);
    return value;
  };
  return {
    name: library,
    fetch: (credentials) => ask({ step: 'fetch' }, credentials),
    use: (token, credentials) => ask({ step: 'use', token, url: listOf(service) }, credentials),
    introspect: (token, credentials) => ask({ step: 'introspect', token }, credentials),
    revoke: (token, credentials) => ask({ step: 'revoke', token }, credentials),
    stop: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'close');
    },
  };
};
