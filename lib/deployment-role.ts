import { OidcProviderNative, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import { type App, CfnOutput, Duration, Stack } from 'aws-cdk-lib/core';
import type { PipelineConfig, StageConfig } from './config.ts';
import { assertProvider, issuer, subjectOf } from './pipeline-needs.ts';
import { environmentOf } from './stage-account.ts';

/**
 * The role by which a pipeline on GitHub deploys a stage without a stored key. A job presents GitHub's token, and AWS gives it
 * the role for an hour if audience and subject match exactly (D-15). The role may only assume the roles of the CDK's
 * bootstrap, which limits what CloudFormation may do for the pipeline. A person deploys this stack, as an app of its own
 * (docs/pipeline.md).
 */
export class DeploymentRole extends Stack {
  constructor(app: App, config: StageConfig, pipeline: PipelineConfig) {
    const { name } = config;
    super(app, `transactions-${name}-deployment`, {
      env: environmentOf(config),
      description: `Transactions (${name}): roles that may deploy`,
      terminationProtection: name === 'production',
    });
    assertProvider(this.account, pipeline);
    const subject = subjectOf(name, pipeline);
    const role = new Role(this, 'Role', {
      description: `Deploys ${name} for ${subject}`,
      assumedBy: new WebIdentityPrincipal(pipeline.providerArn ?? this.provider(), {
        StringEquals: { [`${issuer}:aud`]: audience, [`${issuer}:sub`]: subject },
      }),
      maxSessionDuration: Duration.hours(1),
    });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['sts:AssumeRole'],
        resources: bootstrapRoles.map((bootstrapRole) => this.arnOf(bootstrapRole)),
      }),
    );
    new CfnOutput(this, 'DeploymentRoleArn', { value: role.roleArn });
  }

  /** Makes the provider. An account has one for each issuer, so the configuration names an existing one. */
  private provider(): string {
    const { oidcProviderArn } = new OidcProviderNative(this, 'GitHub', {
      url: `https://${issuer}`,
      clientIds: [audience],
    });
    return oidcProviderArn;
  }

  private arnOf(bootstrapRole: string): string {
    const { partition, account, region } = this;
    return `arn:${partition}:iam::${account}:role/cdk-hnb659fds-${bootstrapRole}-role-${account}-${region}`;
  }
}

const audience = 'sts.amazonaws.com';

/** The roles that the CDK uses to deploy files and templates; there are no images. */
const bootstrapRoles = ['deploy', 'file-publishing', 'lookup'];
