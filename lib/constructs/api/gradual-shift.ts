import { Alarm, type IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import type { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { acknowledge } from '../acknowledge.ts';
import { ServiceFunction } from '../service-function.ts';
import { ServiceRestApi } from './rest-api.ts';

/**
 * Gives a new version of a function that callers wait for one call in ten for ten minutes, then all calls. An alarm on its
 * faulty answers or on an API's faults rolls it back at once, and the update of the stack with it (D-11). Create it after the
 * alarms of its stack. A deployment at once keeps these resources, and CloudFormation moves the aliases itself (D-12).
 */
export class GradualShift extends Construct {
  constructor(stack: Stack, { shiftsAtOnce }: StageConfig) {
    super(stack, 'GradualShift');
    const role = this.createRole();
    const application = new LambdaApplication(this, 'Application');
    const apis = stack.node.findAll().filter((child) => child instanceof ServiceRestApi);
    const faults = apis.map((api) => alarmOf(api, 'Faults'));
    for (const called of stack.node.findAll().filter((child) => child instanceof ServiceFunction)) {
      if (!called.alias) continue;
      new LambdaDeploymentGroup(this, called.node.id, {
        application,
        role,
        alias: called.alias,
        alarms: [alarmOf(called, 'Faulty'), ...faults],
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
      });
      if (shiftsAtOnce) moveByItself(called.alias);
    }
  }

  private createRole(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policyName)],
    });
    acknowledge(
      role,
      `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policyName}]`,
      'AWS maintains what its own service needs in order to shift calls between versions.',
    );
    return role;
  }
}

const policyName = 'service-role/AWSCodeDeployRoleForLambdaLimited';

const moveByItself = ({ node }: Alias): void => {
  if (node.defaultChild instanceof CfnAlias) delete node.defaultChild.cfnOptions.updatePolicy;
};

const alarmOf = (owner: Construct, id: string): IAlarm => {
  const alarm = owner.node.findChild(id);
  if (alarm instanceof Alarm) return alarm;
  throw new Error(`${alarm.node.path} is no alarm.`);
};
