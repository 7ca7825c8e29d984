import { App } from 'aws-cdk-lib';
import { configOf, stageNames } from '../lib/config.ts';
import { addChecks, addStage } from '../lib/stages.ts';

const app = new App();
const stage: string | undefined = app.node.tryGetContext('stage');

// `-c stage=staging` keeps to one stage; without it every stage is synthesised, and `cdk deploy` asks for names.
for (const name of stage === undefined ? stageNames : [stage]) addStage(app, configOf(name));
addChecks(app);
