import { stageToDeploy } from '../lib/deployed-stage.ts';
import { DeploymentRole } from '../lib/deployment-role.ts';
import { runApp } from '../lib/run-app.ts';
import { addChecks } from '../lib/stages.ts';

/**
 * The pipeline's role: `npm run cdk -- deploy --app "node bin/deployment-role.ts" -c stage=staging` (docs/pipeline.md).
 */
runApp((app) => {
  const config = stageToDeploy(app.node.tryGetContext('stage'), process.env.CDK_DEFAULT_ACCOUNT);
  if (!config.pipeline)
    throw new Error(
      `There is no pipeline for ${config.name}: name its repository in pipeline of lib/config.ts.`,
    );
  new DeploymentRole(app, config, config.pipeline);
  addChecks(app);
});
