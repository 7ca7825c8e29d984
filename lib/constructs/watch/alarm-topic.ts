import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Annotations, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { acknowledge } from '../acknowledge.ts';

/**
 * The topic that notifies people: alarms, the rules of `StoreGuard`, the budget and AWS's cost monitor publish to it. The
 * addresses of `lib/config.ts` subscribe, and each confirms once. Our key does not encrypt it, or nobody could be notified
 * that the key is disabled (decision 37).
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, { name, watch }: StageConfig) {
    super(scope, 'AlarmTopic');
    const emails = watch?.emails ?? [];
    this.topic = new Topic(this, 'Topic', {
      displayName: `Transactions (${name})`,
      enforceSSL: true,
    });
    this.topic.addToResourcePolicy(this.writtenByAws());
    this.topic.addToResourcePolicy(this.writtenByRules());
    for (const email of emails)
      acknowledge(
        this.topic.addSubscription(new EmailSubscription(email)),
        'Serverless-SNSRedrivePolicy',
        mailReason,
      );
    if (emails.length === 0)
      Annotations.of(this).addWarningV2(
        'transactions:alarms-reach-nobody',
        `The alarms of ${name} reach nobody: name an address in watch.emails of lib/config.ts.`,
      );
  }

  /** Makes every alarm of the stack notify when it rings and when it ends. */
  notifyOfAll(stack: Stack): void {
    const action = new SnsAction(this.topic);
    for (const alarm of stack.node.findAll()) {
      if (!(alarm instanceof Alarm)) continue;
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  /** EventBridge supports no conditions in a topic's policy (user guide, "Using resource-based policies"). */
  private writtenByRules(): PolicyStatement {
    return new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [this.topic.topicArn],
    });
  }

  private writtenByAws(): PolicyStatement {
    return new PolicyStatement({
      principals: publishers.map((service) => new ServicePrincipal(service)),
      actions: ['sns:Publish'],
      resources: [this.topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    });
  }
}

/** Six hours: SNS developer guide, "Message delivery retries". */
const mailReason =
  'SNS tries to deliver a mail for six hours, and an alarm that rings stands on the dashboard, too.';

/** The services of AWS that publish to the topic, with their account. */
const publishers = ['cloudwatch.amazonaws.com', 'budgets.amazonaws.com', 'costalerts.amazonaws.com'];
