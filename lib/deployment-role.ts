import { OidcProviderNative, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam';
import { type App, CfnOutput, Duration, Stack } from 'aws-cdk-lib/core';
import type { PipelineConfig, StageConfig } from './config.ts';
import { assertProvider, issuer, subjectOf } from './pipeline-needs.ts';
import { environmentOf } from './stage-account.ts';

/**
 * The role by which a pipeline on GitHub deploys a stage, without any stored key: the job shows a token of GitHub, and AWS
 * gives it the role for an hour where audience and subject are exactly these (D-15). The role itself may do nothing but take
 * those of the CDK's bootstrap. The stack is an app of its own, which a person deploys: what CloudFormation may do on behalf
 * of the pipeline is decided by the bootstrap (docs/pipeline.md).
 */
export class DeploymentRole extends Stack {
  constructor(app: App, config: StageConfig, pipeline: PipelineConfig) {
    const { name } = config;
    super(app, `transactions-${name}-deployment`, {
      env: environmentOf(config),
      description: `Transactions (${name}): who may deploy`,
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
        resources: bootstrapRoles.map((one) => this.arnOf(one)),
      }),
    );
    new CfnOutput(this, 'DeploymentRoleArn', { value: role.roleArn });
  }

  /** An account has one provider for each issuer: where it is there already, the configuration names it. */
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

/** What the CDK's command line takes for a deployment of files and templates; there are no images. */
const bootstrapRoles = ['deploy', 'file-publishing', 'lookup'];
