import { App } from 'aws-cdk-lib';
import { configOf, stageNames } from '../lib/config.ts';
import { addChecks, addStage } from '../lib/stages.ts';

/** `-c stage=staging` keeps to one stage; without it every stage is synthesised, and `cdk deploy` asks for stack names. */
const main = (): void => {
  const app = new App();
  const stage: string | undefined = app.node.tryGetContext('stage');
  for (const name of stage === undefined ? stageNames : [stage]) addStage(app, configOf(name));
  addChecks(app);
};

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
