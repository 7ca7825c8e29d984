import { devNull } from 'node:os';
import { configOf } from '../../lib/config.ts';
import { path } from './places.ts';

/** Of the stage that is deployed there. */
export const { region } = configOf('staging');

/** A LocalStack that is up on loopback. */
export type Emulator = { endpoint: string };

/** Of a client of the SDK for it. */
export const settingsFor = ({ endpoint }: Emulator) => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return { endpoint, region, credentials };
};

/**
 * The environment of the tools that deploy and operate. It points at the emulator and leaves out the AWS settings of the
 * shell, files included, so that no tool reaches a real account.
 */
export const accountEnvironment = ({ endpoint }: Emulator): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name))),
  PATH: path,
  CI: 'true',
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
  CDK_DISABLE_CLI_TELEMETRY: 'true',
});
