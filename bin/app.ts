import { App } from 'aws-cdk-lib/core';
import { configOf, stageNames } from '../lib/config.ts';
import { type ShortenedTimes, withShortenedTimes } from '../lib/event-times.ts';
import { addChecks, addStage } from '../lib/stages.ts';

/**
 * `-c stage=staging` limits the app to one stage; without it every stage is synthesised, and `cdk deploy` needs stack names.
 * `-c stage=local -c dormancySeconds=5 -c tickSeconds=1` shortens the two-minute rule (RUN-3).
 */
const main = (): void => {
  const app = new App();
  const stage: string | undefined = app.node.tryGetContext('stage');
  const times: ShortenedTimes = {
    dormancySeconds: app.node.tryGetContext('dormancySeconds'),
    tickSeconds: app.node.tryGetContext('tickSeconds'),
  };
  for (const name of stage === undefined ? stageNames : [stage])
    addStage(app, withShortenedTimes(configOf(name), times));
  addChecks(app);
};

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
