import { App } from 'aws-cdk-lib/core';
import { refusePackagedNode } from './packaged-node.ts';

/** Builds a CDK app. What cannot be deployed is told in its one sentence, without a stack trace, and ends the command as failed. */
export const runApp = (build: (app: App) => void): void => {
  try {
    refusePackagedNode(process.env.CDK_DEFAULT_ACCOUNT, process.execPath);
    build(new App());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
};
