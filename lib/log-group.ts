import type { IKey } from 'aws-cdk-lib/aws-kms';
import { DataIdentifier, DataProtectionPolicy, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { removalPolicyOf } from './removal-policy.ts';

type LogProps = { config: StageConfig; encryptionKey: IKey; logGroupName?: string };

/** Creates a log that expires, is encrypted with our key, and masks data that no line should contain (S-58). */
export const createLogGroup = (scope: Construct, id: string, props: LogProps): LogGroup => {
  const { config, encryptionKey, logGroupName } = props;
  return new LogGroup(scope, id, {
    encryptionKey,
    retention: config.logRetentionDays,
    removalPolicy: removalPolicyOf(config),
    ...(logGroupName !== undefined && { logGroupName }),
    ...(config.keepsData && { dataProtectionPolicy: new DataProtectionPolicy({ identifiers: masked }) }),
  });
};

/** Without card and telephone numbers, which times and ids would match. */
const masked = [
  DataIdentifier.EMAILADDRESS,
  DataIdentifier.AWSSECRETKEY,
  DataIdentifier.OPENSSHPRIVATEKEY,
  DataIdentifier.PKCSPRIVATEKEY,
];
