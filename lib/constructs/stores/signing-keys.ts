import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnRotationSchedule, type Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CustomResource, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct, type IDependable } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { ServiceFunction } from '../service-function.ts';

/**
 * `rotate-keys` makes keys inside AWS. CloudFormation calls it at a deployment to fill empty secrets and publish the rings;
 * Secrets Manager calls it for each step of a rotation (TOK-3).
 */
export class SigningKeys extends Construct {
  readonly rotateKeys: ServiceFunction;

  constructor(scope: Construct, config: StageConfig, { tables, secrets, encryptionKey }: DataStack) {
    super(scope, 'SigningKeys');
    this.rotateKeys = new ServiceFunction(this, 'RotateKeys', {
      config,
      encryptionKey,
      name: 'rotate-keys',
      withoutDeadLetters:
        'Secrets Manager and CloudFormation note how it went, and Secrets Manager tries again.',
    })
      .uses('PARTNERS_TABLE', tables.partners, { GetItem: ['KEYS'], PutItem: ['KEYS'] })
      .rotatesSecret('ACCESS_KEYS_SECRET', secrets.accessKeys)
      .rotatesSecret('SESSION_KEYS_SECRET', secrets.sessionKeys)
      .rotatesSecret('PEPPER_SECRET', secrets.pepper);

    const { rotateKeys } = this;
    const keys = new CustomResource(this, 'Keys', {
      resourceType: 'Custom::SigningKeys',
      serviceToken: rotateKeys.function.functionArn,
      // CloudFormation calls the function again when this changes.
      properties: { kinds: 'access, session, pepper, users' },
      // The default is an hour, for which a function that fails without a response would block the deployment.
      serviceTimeout: Duration.minutes(2),
    });
    // The role must have its rights from CloudFormation's first call to its last.
    keys.node.addDependency(rotateKeys);
    rotateKeys.function.addPermission('Rotation', {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      sourceAccount: Stack.of(this).account,
    });
    const { signingKeysDays, pepperDays } = config.keyRotation ?? {};
    this.rotate('AccessKeys', secrets.accessKeys, {
      by: rotateKeys,
      after: keys,
      everyDays: signingKeysDays,
    });
    this.rotate('SessionKeys', secrets.sessionKeys, {
      by: rotateKeys,
      after: keys,
      everyDays: signingKeysDays,
    });
    this.rotate('Pepper', secrets.pepper, { by: rotateKeys, after: keys, everyDays: pepperDays });
  }

  /** Without `everyDays`, only a command starts a rotation. A deployment never does; it only tests the keys. */
  private rotate(
    name: string,
    secret: Secret,
    { by, after, everyDays }: { by: ServiceFunction; after: IDependable; everyDays: number | undefined },
  ): void {
    const rotation = new CfnRotationSchedule(this, `${name}Rotation`, {
      secretId: secret.secretArn,
      rotationLambdaArn: by.function.functionArn,
      rotateImmediatelyOnUpdate: false,
      ...(everyDays !== undefined && { rotationRules: { automaticallyAfterDays: everyDays } }),
    });
    rotation.node.addDependency(by);
    rotation.node.addDependency(after);
  }
}
