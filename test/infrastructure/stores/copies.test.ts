import { expect, test } from '@jest/globals';
import { configOf, stageNames } from '../../../lib/config.ts';
import { synthesise } from '../../support/engine/synthesis.ts';
import { propertiesOf, resourcesOf, templatesOf } from '../../support/engine/templates.ts';

const vaultArn = 'arn:aws:backup:eu-central-1:444455556666:backup-vault:transactions';
const { data } = await synthesise({ ...configOf('staging'), copies: { vaultArn, keptDays: 7 } });

test('S-56 a stage with a vault elsewhere copies all six tables there each day', () => {
  const [plan] = propertiesOf(data, 'AWS::Backup::BackupPlan') as { BackupPlan: object }[];
  const [selection] = propertiesOf(data, 'AWS::Backup::BackupSelection') as {
    BackupSelection: { Resources: object[] };
  }[];

  expect(plan?.BackupPlan).toMatchObject({
    BackupPlanRule: [
      {
        ScheduleExpression: 'cron(0 3 * * ? *)',
        Lifecycle: { DeleteAfterDays: 1 },
        CopyActions: [{ DestinationBackupVaultArn: vaultArn, Lifecycle: { DeleteAfterDays: 7 } }],
      },
    ],
  });
  expect(selection?.BackupSelection.Resources).toEqual(
    ['Transactions', 'Listing', 'Partners', 'Debounce', 'Requests', 'Audit'].map((table) => ({
      'Fn::GetAtt': [table, 'Arn'],
    })),
  );
});

test('S-55 the backups of a day are encrypted with the key of the stage', () => {
  expect(propertiesOf(data, 'AWS::Backup::BackupVault')).toMatchObject([
    { EncryptionKeyArn: { 'Fn::GetAtt': [expect.stringMatching(/^DataKey/), 'Arn'] } },
  ]);
});

test('S-56 no stage copies anything until a vault is named', () => {
  for (const name of stageNames)
    expect(resourcesOf(templatesOf(name).data, 'AWS::Backup::BackupPlan')).toEqual({});
});

test('D-17 every resource with tags names its service, stage and owner', () => {
  const { service } = templatesOf('production');
  const tagged = Object.values(service.Resources).flatMap(({ Properties }) =>
    Array.isArray(Properties?.Tags) ? [Properties.Tags as { Key: string; Value: string }[]] : [],
  );

  expect(tagged.length).toBeGreaterThan(50);
  for (const tags of tagged)
    expect(tags).toEqual(
      expect.arrayContaining([
        { Key: 'transactions:owner', Value: 'transactions' },
        { Key: 'transactions:service', Value: 'transactions' },
        { Key: 'transactions:stage', Value: 'production' },
      ]),
    );
});
