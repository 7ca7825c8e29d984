import { Alarm, type CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Annotations, SecretValue, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { StageConfig, WatchConfig } from '../../config.ts';
import { acknowledge } from '../acknowledge.ts';
import { isUrgent } from './alarm-catalogue.ts';

/**
 * Two topics that notify people. `urgent` gets the alarms that wake somebody, and goes to the pager and by e-mail; `other` gets
 * what can wait until the morning, and goes by e-mail alone. Our key encrypts neither, or nobody could be notified that the key
 * is disabled (decision 37).
 */
export class AlarmTopics extends Construct {
  readonly urgent: Topic;
  readonly other: Topic;
  private readonly config: StageConfig;

  constructor(scope: Construct, config: StageConfig, watch: WatchConfig) {
    super(scope, 'AlarmTopics');
    this.config = config;
    this.urgent = this.createTopic('Urgent', watch, ['cloudwatch.amazonaws.com']);
    this.other = this.createTopic('Other', watch, [
      ...['cloudwatch.amazonaws.com', 'budgets.amazonaws.com', 'costalerts.amazonaws.com'],
    ]);
    this.urgent.addToResourcePolicy(writtenByRules(this.urgent));
    if (watch.pagerSecretArn !== undefined) this.callPager(watch.pagerSecretArn);
    if (watch.emails.length === 0)
      Annotations.of(this).addWarningV2(
        'transactions:alarms-reach-nobody',
        `The alarms of ${config.name} reach nobody: name an address in watch.emails of lib/config.ts.`,
      );
  }

  /** Makes every alarm of the stack notify its topic when it fires and when it ends. */
  notifyOfAll(stack: Stack): void {
    const [urgent, other] = [new SnsAction(this.urgent), new SnsAction(this.other)];
    for (const alarm of stack.node.findAll()) {
      if (!(alarm instanceof Alarm)) continue;
      const { alarmName = '' } = alarm.node.defaultChild as CfnAlarm;
      const action = isUrgent(this.config.name, alarmName) ? urgent : other;
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  private createTopic(id: string, { emails }: WatchConfig, publishers: readonly string[]): Topic {
    const topic = new Topic(this, id, {
      displayName: `Transactions (${this.config.name}): ${id.toLowerCase()} alarms`,
      enforceSSL: true,
    });
    topic.addToResourcePolicy(writtenByAws(topic, publishers));
    for (const email of emails)
      acknowledge(
        topic.addSubscription(new EmailSubscription(email)),
        'Serverless-SNSRedrivePolicy',
        retries,
      );
    return topic;
  }

  /** The address holds the pager's key, so the template names the secret only, which CloudFormation resolves. */
  private callPager(secretArn: string): void {
    const address = SecretValue.secretsManager(secretArn).unsafeUnwrap();
    const subscription = new UrlSubscription(address, { protocol: SubscriptionProtocol.HTTPS });
    acknowledge(this.urgent.addSubscription(subscription), 'Serverless-SNSRedrivePolicy', retries);
  }
}

/** EventBridge supports no conditions in a topic's policy (user guide, "Using resource-based policies"). */
const writtenByRules = (topic: Topic): PolicyStatement =>
  new PolicyStatement({
    principals: [new ServicePrincipal('events.amazonaws.com')],
    actions: ['sns:Publish'],
    resources: [topic.topicArn],
  });

const writtenByAws = (topic: Topic, publishers: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    principals: publishers.map((service) => new ServicePrincipal(service)),
    actions: ['sns:Publish'],
    resources: [topic.topicArn],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(topic).account } },
  });

/** SNS developer guide, "Message delivery retries": six hours for mails, an hour for https. */
const retries = 'SNS retries for an hour or more, and the dashboard shows the alarm as well.';
