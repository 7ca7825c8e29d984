import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { aftermathJourney } from '../journeys/aftermath.ts';
import { harbourShop } from '../journeys/imported-transactions.ts';
import { httpJourneys } from '../journeys/journeys.ts';
import { sendBy } from '../journeys/send.ts';
import { type OwnStage, worldOf } from '../journeys/world.ts';
import { describedFetch } from '../support/openapi/described-fetch.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../support/stage/open-stage.ts';
import { operatorOf } from '../support/stage/operator-of.ts';

let stage: ServiceStage;
let world: OwnStage;

beforeAll(async () => {
  stage = await openStage();
  world = worldOn(stage);
});
afterAll(() => stage.close());
endEngineAfterFile();

const worldOn = ({ baseUrl, authUrl, dataDir, written }: ServiceStage): OwnStage => {
  const reach = {
    ...{ baseUrl, authUrl, folder: dataDir, send: sendBy(describedFetch), operator: operatorOf({ dataDir }) },
    logLines: async () => written().split('\n'),
  };
  return worldOf(reach, harbourShop);
};

for (const { name, steps } of [...httpJourneys(), aftermathJourney])
  describe(name, () => {
    for (const { title, check } of steps) test(title, () => check(world));
  });
