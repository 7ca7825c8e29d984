import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import { AnomalyDetectionAlarm, ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig, type WatchConfig } from '../../config.ts';
import { alarmFacts } from '../alarms.ts';

type SpendingProps = {
  config: StageConfig;
  watch: WatchConfig;
  /** Notified of money by AWS itself, which tries whether it may when a subscription is made. */
  topic: Topic;
  /** Whose calls cost most. */
  api: RestApi;
};

/**
 * What would cost money unseen (S-43): a budget of the account's month, AWS's own look at its costs where it has one, and calls
 * beyond what is usual at this time of the week, which shows within hours what a bill shows after a day.
 */
export class Spending extends Construct {
  constructor(scope: Construct, { config, watch, topic, api }: SpendingProps) {
    super(scope, 'Spending');
    const subscriber = { subscriptionType: 'SNS', address: topic.topicArn };
    // Without a name: each change of who is notified makes it anew, before the former one goes.
    const budget = new CfnBudget(this, 'Budget', {
      budget: {
        ...{ budgetType: 'COST', timeUnit: 'MONTHLY' },
        budgetLimit: { amount: watch.monthlyUsd, unit: 'USD' },
      },
      notificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
        notification: {
          ...{ notificationType, comparisonOperator: 'GREATER_THAN' },
          ...{ threshold: 100, thresholdType: 'PERCENTAGE' },
        },
        subscribers: [subscriber],
      })),
    });
    budget.node.addDependency(topic);
    if (watch.anomalyMonitorArn !== undefined)
      this.subscribe(busNameOf(config), watch.anomalyMonitorArn, topic);
    new AnomalyDetectionAlarm(this, 'Usage', {
      ...alarmFacts({ config, name: 'usage-unusual' }),
      metric: api.metricCount({ statistic: 'Sum', period: Duration.hours(1) }),
      stdDevs: farFromUsual,
      comparisonOperator: ComparisonOperator.GREATER_THAN_UPPER_THRESHOLD,
      evaluationPeriods: 2,
    });
  }

  /** An account has one monitor of its services, which AWS itself makes: a second one would be refused. */
  private subscribe(name: string, monitorArn: string, topic: Topic): void {
    const subscription = new CfnAnomalySubscription(this, 'Anomalies', {
      subscriptionName: name,
      frequency: 'IMMEDIATE',
      monitorArnList: [monitorArn],
      subscribers: [{ type: 'SNS', address: topic.topicArn }],
      thresholdExpression: JSON.stringify({
        Dimensions: {
          Key: 'ANOMALY_TOTAL_IMPACT_ABSOLUTE',
          MatchOptions: ['GREATER_THAN_OR_EQUAL'],
          Values: [leastUsd],
        },
      }),
    });
    subscription.node.addDependency(topic);
  }
}

/** Standard deviations: two would ring at each sale. */
const farFromUsual = 4;
const leastUsd = '10';
