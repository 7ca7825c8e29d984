import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { webhookSwitchKey } from './keys.ts';

/** Stops the webhooks of the whole stage, and starts them again (S-77). The partner directory answers by it. */
export type WebhookSwitch = {
  /** Since when they are stopped; undefined while they are not. */
  stoppedAtMs: () => Promise<number | undefined>;
  /** Where they are stopped already, they stay stopped since then. */
  stop: (atMs: number) => Promise<void>;
  start: () => Promise<void>;
};

/** The switch in the Partners table. */
export const createWebhookSwitch = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): WebhookSwitch => ({
  stoppedAtMs: async () => {
    const { Item } = await documents.send(consistentGet(partnersTable, webhookSwitchKey));
    return Item?.stoppedAtMs as number | undefined;
  },
  stop: async (stoppedAtMs) => {
    const put = new PutCommand({
      TableName: partnersTable,
      Item: { ...webhookSwitchKey, stoppedAtMs },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    await conditionHeld(documents.send(put));
  },
  start: async () => {
    await documents.send(new DeleteCommand({ TableName: partnersTable, Key: webhookSwitchKey }));
  },
});
