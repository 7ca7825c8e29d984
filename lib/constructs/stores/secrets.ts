import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { acknowledge } from '../acknowledge.ts';

type SecretsProps = { encryptionKey: IKey; removalPolicy: RemovalPolicy };

/**
 * Signing keys and the pepper. The template has no values (S-22): CloudFormation generates the first pepper, and `rotate-keys`
 * fills the two key sets, which start without a value.
 */
export class Secrets extends Construct {
  readonly accessKeys: Secret;
  readonly sessionKeys: Secret;
  readonly pepper: Secret;

  private readonly rotationReason: string;

  constructor(scope: Construct, { keyRotation }: StageConfig, props: SecretsProps) {
    super(scope, 'Secrets');
    this.rotationReason = keyRotation ? rotatedBySchedule : rotatedByCommand;
    this.accessKeys = this.emptySecret('AccessKeys', 'Private keys that sign access tokens', props);
    this.sessionKeys = this.emptySecret('SessionKeys', 'Private key that signs session tokens', props);
    this.pepper = this.createSecret('Pepper', {
      ...props,
      description: 'Pepper of the stored client secrets',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
  }

  private emptySecret(name: string, description: string, props: SecretsProps): Secret {
    const secret = this.createSecret(name, { ...props, description });
    const resource = secret.node.defaultChild;
    if (resource instanceof CfnSecret) resource.generateSecretString = undefined;
    return secret;
  }

  private createSecret(name: string, props: ConstructorParameters<typeof Secret>[2]): Secret {
    const secret = new Secret(this, name, props);
    const resource = secret.node.defaultChild;
    if (resource instanceof CfnSecret) resource.overrideLogicalId(name);
    acknowledge(secret, 'AwsSolutions-SMG4', this.rotationReason);
    return secret;
  }
}

const rotatedBySchedule =
  'The schedule of its rotation stands in the service stack, with the function that does it (lib/constructs/stores/signing-keys.ts).';
const rotatedByCommand =
  'In this stage it is rotated by command alone (docs/keys.md), so that tests and rehearsals know when.';
