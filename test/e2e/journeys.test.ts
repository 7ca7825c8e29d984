import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, jest, test } from '@jest/globals';
import { aftermathJourney } from '../journeys/aftermath.ts';
import { harbourShop } from '../journeys/imported-transactions.ts';
import { httpJourneys } from '../journeys/journeys.ts';
import { sendBy } from '../journeys/send.ts';
import { type OwnStage, worldOf } from '../journeys/world.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { operatorOf } from '../support/stage/operator-of.ts';
import { startStage, type TestStage } from '../support/stage/stage.ts';

jest.setTimeout(60_000);

let stage: TestStage;
let world: OwnStage;

beforeAll(async () => {
  stage = await startStage();
  world = worldOn(stage);
}, 300_000);

afterAll(() => stage.stop(), 30_000);

const worldOn = ({ baseUrl, authUrl, dataDir }: TestStage): OwnStage => {
  const logs = join(dataDir, 'logs');
  const reach = {
    ...{ baseUrl, authUrl, folder: dataDir, send: sendBy(describedFetch), operator: operatorOf({ dataDir }) },
    logLines: async () =>
      readdirSync(logs).flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n')),
  };
  return worldOf(reach, harbourShop);
};

for (const { name, steps } of [...httpJourneys(), aftermathJourney])
  describe(name, () => {
    for (const { title, check } of steps) test(title, () => check(world));
  });
