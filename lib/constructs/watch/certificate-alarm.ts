import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { addAlarm } from './alarms.ts';

/** Rings while there is time to replace the certificate. ACM renews one that it manages 60 days before its end. */
export const addCertificateAlarm = (scope: Construct, config: StageConfig, certificateArn: string): void => {
  addAlarm(scope, 'CertificateExpires', {
    ...{ config, name: 'certificate-expires' },
    metric: new Metric({
      namespace: 'AWS/CertificateManager',
      metricName: 'DaysToExpiry',
      dimensionsMap: { CertificateArn: certificateArn },
      statistic: 'Minimum',
      period: Duration.days(1),
    }),
    bounds: { below: leastDays },
  });
};

const leastDays = 30;
