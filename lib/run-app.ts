import { App } from 'aws-cdk-lib/core';
import { refusePackagedNode } from './packaged-node.ts';

/** Builds a CDK app. An error is printed as its message, without a stack trace, and the exit code is 1. */
export const runApp = (build: (app: App) => void): void => {
  try {
    refusePackagedNode(process.env.CDK_DEFAULT_ACCOUNT, process.execPath);
    build(new App());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
};
