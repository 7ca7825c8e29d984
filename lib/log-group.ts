import type { IKey } from 'aws-cdk-lib/aws-kms';
import { DataIdentifier, DataProtectionPolicy, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { removalPolicyOf } from './removal-policy.ts';

type LogProps = { config: StageConfig; encryptionKey: IKey; name?: string };

/** Creates a log that expires, is encrypted with our key, and masks what no line of ours should ever hold (S-58). */
export const createLogGroup = (scope: Construct, id: string, props: LogProps): LogGroup => {
  const { config, encryptionKey, name } = props;
  return new LogGroup(scope, id, {
    encryptionKey,
    retention: config.logRetentionDays,
    removalPolicy: removalPolicyOf(config),
    ...(name !== undefined && { logGroupName: name }),
    ...(config.keepsData && { dataProtectionPolicy: new DataProtectionPolicy({ identifiers: masked }) }),
  });
};

/** Not numbers of cards and telephones: times and ids would be taken for them. */
const masked = [
  DataIdentifier.EMAILADDRESS,
  DataIdentifier.AWSSECRETKEY,
  DataIdentifier.OPENSSHPRIVATEKEY,
  DataIdentifier.PKCSPRIVATEKEY,
];
