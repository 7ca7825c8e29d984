import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import { AnomalyDetectionAlarm, ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { busNameOf, type StageConfig, type WatchConfig } from '../../config.ts';
import { alarmFacts } from '../alarms.ts';

type SpendingProps = {
  config: StageConfig;
  watch: WatchConfig;
  /** Told of money by AWS itself. */
  topicArn: string;
  /** Whose calls cost most. */
  api: RestApi;
};

/**
 * What would cost money unseen (S-43): a budget of the account's month, AWS's own look at its costs where it has one, and calls
 * beyond what is usual at this time of the week, which shows within hours what a bill shows after a day.
 */
export class Spending extends Construct {
  constructor(scope: Construct, { config, watch, topicArn, api }: SpendingProps) {
    super(scope, 'Spending');
    const subscriber = { subscriptionType: 'SNS', address: topicArn };
    new CfnBudget(this, 'Budget', {
      budget: {
        ...{ budgetName: busNameOf(config), budgetType: 'COST', timeUnit: 'MONTHLY' },
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
    if (watch.anomalyMonitorArn !== undefined)
      this.subscribe(busNameOf(config), watch.anomalyMonitorArn, topicArn);
    new AnomalyDetectionAlarm(this, 'Usage', {
      ...alarmFacts({ config, name: 'usage-unusual' }),
      metric: api.metricCount({ statistic: 'Sum', period: Duration.hours(1) }),
      stdDevs: farFromUsual,
      comparisonOperator: ComparisonOperator.GREATER_THAN_UPPER_THRESHOLD,
      evaluationPeriods: 2,
    });
  }

  /** An account has one monitor of its services, which AWS itself makes: a second one would be refused. */
  private subscribe(name: string, monitorArn: string, topicArn: string): void {
    new CfnAnomalySubscription(this, 'Anomalies', {
      subscriptionName: name,
      frequency: 'IMMEDIATE',
      monitorArnList: [monitorArn],
      subscribers: [{ type: 'SNS', address: topicArn }],
      thresholdExpression: JSON.stringify({
        Dimensions: {
          Key: 'ANOMALY_TOTAL_IMPACT_ABSOLUTE',
          MatchOptions: ['GREATER_THAN_OR_EQUAL'],
          Values: [leastUsd],
        },
      }),
    });
  }
}

/** Standard deviations: two would ring at each sale. */
const farFromUsual = 4;
const leastUsd = '10';
