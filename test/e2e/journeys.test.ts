import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, jest, test } from '@jest/globals';
import { createOperatorTool } from '../../localstack/demo/operator-tool.ts';
import { aftermathJourney, httpJourneys } from '../journeys/journeys.ts';
import { type Answer, type World, worldOf } from '../journeys/world.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { root } from '../support/repository.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

jest.setTimeout(60_000);

let stage: TestStage;
let world: World;

beforeAll(async () => {
  stage = await startStage();
  world = worldOn(stage);
}, 300_000);

afterAll(() => stage.stop(), 30_000);

const worldOn = ({ baseUrl, authUrl, dataDir }: TestStage): World => {
  const answers: Answer[] = [];
  const tool = createOperatorTool(root, join(dataDir, 'stack.json'), 'ignore');
  const logs = join(dataDir, 'logs');
  return worldOf({
    baseUrl,
    authUrl,
    answers,
    folder: dataDir,
    send: async (url, init = {}) => {
      const answer = await request(url, init);
      answers.push(answer);
      return answer;
    },
    operator: async (...words) => {
      const outcome = await tool(...words);
      if (outcome.ok) return outcome.value;
      throw new Error(outcome.reason);
    },
    logLines: async () =>
      readdirSync(logs).flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n')),
  });
};

const request = async (url: string, init: RequestInit): Promise<Answer> => {
  const response = await describedFetch(url, { redirect: 'manual', ...init });
  const { status, headers } = response;
  return { request: `${init.method ?? 'GET'} ${url}`, status, headers, text: await response.text() };
};

for (const { name, steps } of [...httpJourneys(), aftermathJourney])
  describe(name, () => {
    for (const { title, check } of steps) test(title, () => check(world));
  });
