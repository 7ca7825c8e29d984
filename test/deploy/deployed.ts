import { inEmulator } from '../../bin/smoke/reach.ts';
import { type Answer, type World, worldOf } from '../journeys/world.ts';
import type { Emulator } from './account.ts';
import type { Outputs } from './cdk.ts';
import { functionLogs } from './logs.ts';
import { operatorOf } from './operator.ts';
import { workspace } from './places.ts';

/** The service as deployed, for journeys: its two addresses, its operator's tool and its logs. */
export const deployedAt = (emulator: Emulator, outputs: Outputs): World => {
  const answers: Answer[] = [];
  return worldOf({
    baseUrl: outputNamed(outputs, 'BaseUrl'),
    authUrl: outputNamed(outputs, 'AuthUrl'),
    answers,
    folder: workspace,
    send: async (url, init = {}) => {
      const answer = await request(inEmulator(emulator.endpoint, url), init);
      answers.push(answer);
      return answer;
    },
    operator: operatorOf(emulator),
    logLines: () => functionLogs(emulator),
  });
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
