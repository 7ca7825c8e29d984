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
 * The one way from a stage to a person: a topic that alarms, the rules of `StoreGuard`, the budget and AWS's look at costs
 * write to, and to which the addresses of `lib/config.ts` are subscribed. Each address has to confirm once. No key of ours encrypts it: that a key is
 * disabled could be sent to nobody then (decision 37).
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

  /** Has every alarm of the stack tell when it rings, and when it ends. */
  tellOfAll(stack: Stack): void {
    const action = new SnsAction(this.topic);
    for (const alarm of stack.node.findAll()) {
      if (!(alarm instanceof Alarm)) continue;
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  private writtenByAws(): PolicyStatement {
    return new PolicyStatement({
      principals: tellers.map((service) => new ServicePrincipal(service)),
      actions: ['sns:Publish'],
      resources: [this.topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    });
  }
}

/** As the SNS developer guide has it, "Message delivery retries". */
const mailReason =
  'SNS tries to deliver a mail for six hours, and an alarm that rings stands on the dashboard, too.';

/** What AWS tells a person of by itself: alarms, rules that a call meets, and what is spent. */
const tellers = [
  ...['cloudwatch.amazonaws.com', 'events.amazonaws.com'],
  ...['budgets.amazonaws.com', 'costalerts.amazonaws.com'],
];
