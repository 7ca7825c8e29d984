import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

type FunctionScheduleProps = {
  /** A schedule expression of EventBridge: `rate(1 hour)`. */
  every: string;
  function: IFunction;
  /** The input of every call. The default is its rate, since LocalStack drops a call with an empty object. */
  input?: object;
};

/**
 * Calls a function at a fixed rate with a fixed input, by a scheduled rule, which AWS and LocalStack execute
 * (decision 39). The function admits only this rule. A failed call is not repeated, since the next one covers the
 * same and more. By default EventBridge would retry for a day, and Lambda twice within six hours.
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

/** 60 s is the least age that EventBridge and Lambda accept. */
const neverAgain = { retryAttempts: 0, maxEventAge: Duration.seconds(60) };

const isConfigured = (called: IFunction) => called.node.tryFindChild(configId) !== undefined;

/** The first schedule of a function configures it for all. */
const neverRepeat = (called: IFunction) => {
  called.configureAsyncInvoke(neverAgain);
  acknowledge(called.node.findChild(configId), 'Serverless-LambdaAsyncFailureDestination', lostReason);
};

/** The id that the construct library gives the configuration. */
const configId = 'EventInvokeConfig';

const lostReason = 'A call that is lost is not kept: the next one looks at the same and more.';
