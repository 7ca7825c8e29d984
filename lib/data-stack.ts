import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { RestoredTable, StageConfig, TableName } from './config.ts';
import { CopyElsewhere } from './constructs/stores/copy-elsewhere.ts';
import { DataKey } from './constructs/stores/data-key.ts';
import { Secrets } from './constructs/stores/secrets.ts';
import { createTable, restoredTable, type UsedTable } from './constructs/stores/table.ts';
import { removalPolicyOf } from './removal-policy.ts';
import { environmentOf } from './stage-account.ts';

/** The tables that functions use: the stack's own, or restored ones in their place. */
export type Tables = Record<TableName, UsedTable>;

/** Resources that must outlive a deployment: the tables, the secrets, and the key that encrypts them. */
export class DataStack extends Stack {
  readonly encryptionKey: Key;
  readonly tables: Tables;
  readonly secrets: Secrets;
  /** The copy of the audit records, the list of erasures, and an adoption's note (DR-2). */
  readonly audit: Table;

  constructor(scope: Construct, config: StageConfig) {
    super(scope, `transactions-${config.name}-data`, {
      env: environmentOf(config),
      description: `Transactions (${config.name}): data that outlives deployments`,
      terminationProtection: config.keepsData,
    });

    const encryptionKey = new DataKey(this, config).key;
    const keeping = {
      encryptionKey,
      deletionProtection: config.keepsData,
      removalPolicy: removalPolicyOf(config),
    };
    this.encryptionKey = encryptionKey;
    this.secrets = new Secrets(this, config, keeping);
    const made = {
      transactions: createTable(this, 'Transactions', keeping),
      listing: createTable(this, 'Listing', keeping),
      partners: createTable(this, 'Partners', keeping),
      debounce: createTable(this, 'Debounce', keeping),
      requests: createTable(this, 'Requests', keeping),
    };
    this.audit = createTable(this, 'Audit', keeping);
    this.tables = { ...made, ...this.restored(made, config.restoredTables) };
    this.keepReadable([...Object.values(made), this.audit]);
    if (config.copies)
      new CopyElsewhere(this, {
        ...{ encryptionKey, copies: config.copies },
        tableArns: [...Object.values(this.tables), this.audit].map(({ tableArn }) => tableArn),
      });
    this.publish();
  }

  /** Restored tables, which replace the stack's own. Those stay as they are. */
  private restored(
    made: Record<TableName, Table>,
    restored: StageConfig['restoredTables'] = {},
  ): Partial<Tables> {
    const given = Object.entries(restored) as [TableName, RestoredTable][];
    return Object.fromEntries(
      given.map(([name, table]) => [name, restoredTable(this, made[name].node.id, table)]),
    );
  }

  /**
   * Outputs that the service stack reads when it is deployed (D-05). They stay without a reader, because a service stack that
   * is rolled back reads them again. The CDK makes its own outputs in this construct, with the same ids.
   */
  private keepReadable(tables: Table[]): void {
    const { accessKeys, sessionKeys, pepper } = this.secrets;
    const published = new Construct(this, 'Publish');
    const values = [
      this.encryptionKey.keyArn,
      ...[accessKeys, sessionKeys, pepper].map(({ secretArn }) => secretArn),
      ...tables.flatMap(({ tableName, tableArn, tableStreamArn }) => [tableName, tableArn, tableStreamArn]),
    ];
    for (const value of values)
      if (value !== undefined)
        new CfnOutput(published, `Output${JSON.stringify(this.resolve(value))}`, { value });
  }

  /** Outputs for the operator's tool, which reads them from the file of `cdk deploy --outputs-file`. */
  private publish(): void {
    const { transactions, listing, partners, debounce, requests } = this.tables;
    new CfnOutput(this, 'TransactionsTable', { value: transactions.tableName });
    new CfnOutput(this, 'ListingTable', { value: listing.tableName });
    new CfnOutput(this, 'PartnersTable', { value: partners.tableName });
    new CfnOutput(this, 'DebounceTable', { value: debounce.tableName });
    new CfnOutput(this, 'RequestsTable', { value: requests.tableName });
    new CfnOutput(this, 'AuditTable', { value: this.audit.tableName });
    new CfnOutput(this, 'DataKeyArn', { value: this.encryptionKey.keyArn });
    new CfnOutput(this, 'AccessKeysSecret', { value: this.secrets.accessKeys.secretArn });
    new CfnOutput(this, 'SessionKeysSecret', { value: this.secrets.sessionKeys.secretArn });
    new CfnOutput(this, 'PepperSecret', { value: this.secrets.pepper.secretArn });
  }
}
