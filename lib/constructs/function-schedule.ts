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
 * Calls a function at a fixed rate with a fixed input. It is a scheduled rule, which AWS and LocalStack execute
 * (docs/decisions/0039). The function admits this one rule. A call that fails is not made again, since the next one
 * looks at the same and more: neither by EventBridge, which tries to hand it to Lambda for a day, nor by Lambda, which
 * keeps what a rule hands over for six hours and tries a function that failed twice more.
 */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const target = new LambdaFunction(props.function, {
      event: RuleTargetInput.fromObject(props.input ?? { every: props.every }),
      ...neverAgain,
    });
    if (!isConfigured(props.function)) neverRepeat(props.function);
    const rule = new Rule(this, 'Rule', { schedule: Schedule.expression(props.every), targets: [target] });
    acknowledge(rule, 'Serverless-EventBusDLQ', lostReason);
  }
}

/** The least age that either of them takes. */
const neverAgain = { retryAttempts: 0, maxEventAge: Duration.seconds(60) };

const isConfigured = (called: IFunction) => called.node.tryFindChild(configId) !== undefined;

/** Of a function with two schedules, the first one does it. */
const neverRepeat = (called: IFunction) => {
  called.configureAsyncInvoke(neverAgain);
  acknowledge(called.node.findChild(configId), 'Serverless-LambdaAsyncFailureDestination', lostReason);
};

/** As the construct library names it. */
const configId = 'EventInvokeConfig';

const lostReason = 'A call that is lost is not kept: the next one looks at the same and more.';
