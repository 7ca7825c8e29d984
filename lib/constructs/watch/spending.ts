import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import { AnomalyDetectionAlarm, ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig, type WatchConfig } from '../../config.ts';
import { alarmFacts } from './alarms.ts';

type SpendingProps = {
  config: StageConfig;
  watch: WatchConfig;
  /** Gets AWS's notifications of costs. Its policy must exist first: AWS tests it when a subscription is made. */
  topic: Topic;
  /** The API whose calls cost most. */
  api: RestApi;
};

/**
 * Watches the costs (S-43): a monthly budget of the account, AWS's cost monitor where the account has one, and an alarm on
 * unusually many calls for the time of the week, which fires within hours where a bill takes a day.
 */
export class Spending extends Construct {
  constructor(scope: Construct, { config, watch, topic, api }: SpendingProps) {
    super(scope, 'Spending');
    const subscriber = { subscriptionType: 'SNS', address: topic.topicArn };
    // It has no name, since a change of subscribers replaces the budget, and both exist for a moment.
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

  /** Subscribes to AWS's own monitor of the account's services, since an account cannot have a second one. */
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

/** In standard deviations: two would ring at each sales campaign. */
const farFromUsual = 4;
const leastUsd = '10';
