import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

type FunctionScheduleProps = {
  /** As EventBridge writes it: `rate(1 hour)`. */
  every: string;
  function: IFunction;
  /** The input of every call; its rate unless given, since LocalStack drops a call whose input is an empty object. */
  input?: object;
};

/**
 * Calls a function at a fixed rate with a fixed input. It is a scheduled rule, which AWS and the emulators all execute
 * (docs/decisions/0039). The function admits this one rule. A call that fails is not made again, since the next one
 * looks at the same and more.
 */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const target = new LambdaFunction(props.function, {
      event: RuleTargetInput.fromObject(props.input ?? { every: props.every }),
      retryAttempts: 0,
      // The least that EventBridge takes.
      maxEventAge: Duration.seconds(60),
    });
    const rule = new Rule(this, 'Rule', { schedule: Schedule.expression(props.every), targets: [target] });
    acknowledge(
      rule,
      'Serverless-EventBusDLQ',
      'A call that is lost is not kept: the next one looks at the same and more.',
    );
  }
}
