import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { webhookSwitchKey } from './keys.ts';

/** When the webhooks of the whole stage were stopped (S-77). */
export type WebhookStop = { stoppedAtMs: number };

/**
 * Stops and starts the webhooks of the whole stage (S-77). The sender reads the switch before each request, so
 * nothing is sent from then on. `keep-endpoints` removes targets and puts them back.
 */
export type WebhookSwitch = {
  /** Undefined while they are not stopped. */
  read: () => Promise<WebhookStop | undefined>;
  /** If they are stopped already, the earlier time stays. */
  stop: (atMs: number) => Promise<WebhookStop>;
  /** Stores the time, from which on kept events are sent. */
  start: (atMs: number) => Promise<void>;
};

type Item = Record<string, unknown>;

/** Whether the switch says that nothing is sent. */
export const isStopped = ({ stoppedAtMs }: Item): boolean => stoppedAtMs !== undefined;

/** When they were last started, by the item. */
export const startedAtMsIn = ({ startedAtMs }: Item): number | undefined => startedAtMs as number | undefined;

/** Whether an item is the switch, and not a partner's profile. */
export const isSwitch = (item: Item): boolean => isStopped(item) || startedAtMsIn(item) !== undefined;

/** The switch in the Partners table. */
export const createWebhookSwitch = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): WebhookSwitch => {
  const item = { TableName: partnersTable, Key: webhookSwitchKey };
  return {
    read: async () => {
      const { Item } = await documents.send(consistentGet(partnersTable, webhookSwitchKey));
      return Item && isStopped(Item) ? toStop(Item) : undefined;
    },
    stop: async (atMs) => {
      const command = new UpdateCommand({
        ...item,
        UpdateExpression: 'SET stoppedAtMs = if_not_exists(stoppedAtMs, :at) REMOVE startedAtMs',
        ExpressionAttributeValues: { ':at': atMs },
        ReturnValues: 'ALL_NEW',
      });
      return toStop((await documents.send(command)).Attributes ?? {});
    },
    start: async (atMs) => {
      const command = new UpdateCommand({
        ...item,
        UpdateExpression: 'SET startedAtMs = :at REMOVE stoppedAtMs',
        ExpressionAttributeValues: { ':at': atMs },
      });
      await documents.send(command);
    },
  };
};

const toStop = ({ stoppedAtMs }: Item): WebhookStop => ({
  stoppedAtMs: Number(stoppedAtMs),
});
