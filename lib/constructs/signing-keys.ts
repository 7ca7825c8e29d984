import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { DataStack } from '../data-stack.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * Signing keys come into being at the first deployment, inside AWS: a function that CloudFormation calls creates them
 * where a secret has none, and publishes what verifies them.
 */
export class SigningKeys extends Construct {
  constructor(scope: Construct, config: StageConfig, { tables, secrets, encryptionKey }: DataStack) {
    super(scope, 'SigningKeys');
    const createKeys = new ServiceFunction(this, 'CreateKeys', { config, encryptionKey, name: 'create-keys' })
      .puts('PARTNERS_TABLE', tables.partners)
      .readsSecret('ACCESS_KEYS_SECRET', secrets.accessKeys)
      .writesSecret('ACCESS_KEYS_SECRET', secrets.accessKeys)
      .readsSecret('SESSION_KEYS_SECRET', secrets.sessionKeys)
      .writesSecret('SESSION_KEYS_SECRET', secrets.sessionKeys);

    const keys = new CustomResource(this, 'Keys', {
      resourceType: 'Custom::SigningKeys',
      serviceToken: createKeys.function.functionArn,
      // A function that fails before it can answer would otherwise hold up the deployment for an hour.
      serviceTimeout: Duration.minutes(2),
    });
    // The role's rights must be there before CloudFormation calls the function, and outlive its last call.
    keys.node.addDependency(createKeys);
  }
}
