import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

type FunctionScheduleProps = {
  /** As EventBridge Scheduler writes it: `rate(1 hour)`. */
  every: string;
  function: IFunction;
  /** The input of every call; an empty object unless given. */
  input?: object;
};

/**
 * Calls a function at a fixed rate with a fixed input. The schedule may call this one function; the target of the construct
 * library would also allow every version of it.
 */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const role = this.callerOf(props.function);
    new CfnSchedule(this, 'Schedule', {
      scheduleExpression: props.every,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: props.function.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify(props.input ?? {}),
      },
    });
  }

  private callerOf({ functionArn }: IFunction): Role {
    const { account } = Stack.of(this);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
    });
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }));
    return role;
  }
}
