import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { configOf, stageNames } from '../lib/config.ts';
import { DeploymentRole } from '../lib/deployment-role.ts';
import { withExamples } from '../lib/production-needs.ts';
import { addChecks, addStage } from '../lib/stages.ts';
import { operatorRights } from './operator/command-groups.ts';

/**
 * `npm run synth`: writes the templates of every stage to `.local/templates`, with all checks of a deployment and without an
 * account. In `cdk.out`, `cdk deploy --app cdk.out` would offer all stages, the local one included (D-01).
 */
const app = new App({ outdir: process.env.CDK_OUTDIR ?? join(import.meta.dirname, '../.local/templates') });
for (const config of stageNames.map((name) => withExamples(configOf(name)))) {
  addStage(app, config, operatorRights);
  if (config.pipeline) new DeploymentRole(app, config, config.pipeline);
}
addChecks(app);
app.synth();
