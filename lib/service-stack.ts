import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Addresses, StageConfig } from './config.ts';
import { GatewayLogs } from './constructs/gateway-logs.ts';
import { SigningKeys } from './constructs/signing-keys.ts';
import { TokenApi } from './constructs/token-api.ts';
import { TransactionsApi } from './constructs/transactions-api.ts';
import { UntouchedSweep } from './constructs/untouched-sweep.ts';
import type { DataStack } from './data-stack.ts';

/** What may be replaced: functions, the two fronts, and schedules. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, config: StageConfig, data: DataStack) {
    super(scope, `transactions-${config.name}-service`, {
      env: { region: config.region },
      description: `Transactions (${config.name}): functions and APIs`,
    });

    const gatewayLogs = new GatewayLogs(this);
    const fronts = { config, encryptionKey: data.encryptionKey, gatewayLogs };
    const tokenApi = new TokenApi(this, fronts);
    const transactionsApi = new TransactionsApi(this, fronts);
    const addresses = config.fixedAddresses ?? {
      baseUrl: transactionsApi.address,
      authUrl: tokenApi.address,
    };

    new SigningKeys(this, config, data);
    tokenApi.serve(addresses, data);
    transactionsApi.serve(addresses, data);
    new UntouchedSweep(this, config, data);
    this.publish(addresses);
  }

  private publish({ baseUrl, authUrl }: Addresses): void {
    new CfnOutput(this, 'BaseUrl', { value: baseUrl });
    new CfnOutput(this, 'AuthUrl', { value: authUrl });
  }
}
