import { operatorRights } from '../../bin/operator/command-groups.ts';
import { stageToDeploy } from '../../lib/deployed-stage.ts';
import { runApp } from '../../lib/run-app.ts';
import { addStage } from '../../lib/stages.ts';

/** The CDK app of the staging stage after step 3 of docs/recovery.md: `restoredTables` names a restored Transactions table. */
runApp((app) => {
  const { RESTORED_TABLE: table = '', RESTORED_STREAM: streamArn = '' } = process.env;
  const config = stageToDeploy('staging', process.env.CDK_DEFAULT_ACCOUNT);
  addStage(app, { ...config, restoredTables: { transactions: { table, streamArn } } }, operatorRights);
});
