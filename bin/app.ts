import { stageToDeploy, withShift } from '../lib/deployed-stage.ts';
import { type ShortenedTimes, withShortenedTimes } from '../lib/event-times.ts';
import { runApp } from '../lib/run-app.ts';
import { addChecks, addStage } from '../lib/stages.ts';
import { operatorRights } from './operator/command-groups.ts';

/**
 * The CDK app of one stage, `-c stage=staging`. `npm run synth` checks all stages. `-c stage=local -c dormancySeconds=5
 * -c tickSeconds=1` shortens dormancy and tick (RUN-3). `-c stage=production -c shift=at-once` deploys a fix while an
 * alarm fires (D-12).
 */
runApp((app) => {
  const times: ShortenedTimes = {
    dormancySeconds: app.node.tryGetContext('dormancySeconds'),
    tickSeconds: app.node.tryGetContext('tickSeconds'),
  };
  const stage = stageToDeploy(app.node.tryGetContext('stage'), process.env.CDK_DEFAULT_ACCOUNT);
  const config = withShift(stage, app.node.tryGetContext('shift'));
  addStage(app, withShortenedTimes(config, times), operatorRights);
  addChecks(app);
});
