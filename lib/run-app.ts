import { App } from 'aws-cdk-lib/core';

/** Builds a CDK app. What cannot be deployed is told in its one sentence, without a stack trace, and ends the command as failed. */
export const runApp = (build: (app: App) => void): void => {
  try {
    build(new App());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
};
