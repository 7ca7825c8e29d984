import { App } from 'aws-cdk-lib/core';
import { configOf, stageNames } from '../lib/config.ts';
import { withExampleDomain } from '../lib/own-domain.ts';
import { addChecks, addStage } from '../lib/stages.ts';

/** `npm run synth`: the templates of every stage in `cdk.out`, with all checks of a deployment. Needs no account. */
const app = new App({ outdir: process.env.CDK_OUTDIR ?? 'cdk.out' });
for (const name of stageNames) addStage(app, withExampleDomain(configOf(name)));
addChecks(app);
app.synth();
