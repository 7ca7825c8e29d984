import { CustomResource, Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * Creates the signing keys at the first deployment, inside AWS: CloudFormation calls `create-keys`, which fills an empty
 * secret and publishes the public key.
 */
export class SigningKeys extends Construct {
  constructor(scope: Construct, config: StageConfig, { tables, secrets, encryptionKey }: DataStack) {
    super(scope, 'SigningKeys');
    const createKeys = new ServiceFunction(this, 'CreateKeys', { config, encryptionKey, name: 'create-keys' })
      .gets('PARTNERS_TABLE', tables.partners)
      .puts('PARTNERS_TABLE', tables.partners)
      .readsSecret('ACCESS_KEYS_SECRET', secrets.accessKeys)
      .writesSecret('ACCESS_KEYS_SECRET', secrets.accessKeys)
      .readsSecret('SESSION_KEYS_SECRET', secrets.sessionKeys)
      .writesSecret('SESSION_KEYS_SECRET', secrets.sessionKeys)
      .readsSecret('PEPPER_SECRET', secrets.pepper)
      .writesSecret('PEPPER_SECRET', secrets.pepper);

    const keys = new CustomResource(this, 'Keys', {
      resourceType: 'Custom::SigningKeys',
      serviceToken: createKeys.function.functionArn,
      // Without this, a function that fails before it responds would block the deployment for an hour.
      serviceTimeout: Duration.minutes(2),
    });
    // The role needs its rights before CloudFormation's first call and until after its last.
    keys.node.addDependency(createKeys);
  }
}
