import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';

type FunctionScheduleProps = {
  /** As EventBridge Scheduler writes it: `rate(1 hour)`. */
  every: string;
  function: IFunction;
  /** What it is called with; nothing unless given. */
  input?: object;
};

/**
 * Calls a function again and again, always with the same. The scheduler may call this one function and nothing else;
 * the construct library's own target would let it call every version of it, too.
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
