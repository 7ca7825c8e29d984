import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { webhookSwitchKey } from './keys.ts';

/** That the webhooks of the whole stage are stopped (S-77). */
export type WebhookStop = {
  stoppedAtMs: number;
  /** Grows with each stop, so that a start knows whether it undoes the stop that it has seen. */
  stops: number;
  /** Events are sent again since then; what was kept may not be released yet. */
  startingAtMs?: number;
};

/** Stops the webhooks of the whole stage, and starts them again (S-77). The partner directory answers by it. */
export type WebhookSwitch = {
  /** Undefined while they are not stopped, and no start is unfinished. */
  read: () => Promise<WebhookStop | undefined>;
  /** Where they are stopped already, they stay stopped since then. */
  stop: (atMs: number) => Promise<WebhookStop>;
  /** Lets events leave again. False where they were stopped once more since. */
  release: (stop: WebhookStop, atMs: number) => Promise<boolean>;
  /** Ends a start. False as above. */
  finish: (stop: WebhookStop) => Promise<boolean>;
};

const isThisStop = 'stops = :stops';

/** The switch in the Partners table. */
export const createWebhookSwitch = ({
  documents,
  partnersTable,
}: TableAccess<'partnersTable'>): WebhookSwitch => {
  const item = { TableName: partnersTable, Key: webhookSwitchKey };
  return {
    read: async () => {
      const { Item } = await documents.send(consistentGet(partnersTable, webhookSwitchKey));
      return Item && toStop(Item);
    },
    stop: async (atMs) => {
      const command = new UpdateCommand({
        ...item,
        UpdateExpression:
          'SET stoppedAtMs = if_not_exists(stoppedAtMs, :at) REMOVE startingAtMs ADD stops :one',
        ExpressionAttributeValues: { ':at': atMs, ':one': 1 },
        ReturnValues: 'ALL_NEW',
      });
      return toStop((await documents.send(command)).Attributes ?? {});
    },
    release: ({ stops }, atMs) =>
      conditionHeld(
        documents.send(
          new UpdateCommand({
            ...item,
            UpdateExpression: 'SET startingAtMs = :at',
            ConditionExpression: isThisStop,
            ExpressionAttributeValues: { ':at': atMs, ':stops': stops },
          }),
        ),
      ),
    finish: ({ stops }) =>
      conditionHeld(
        documents.send(
          new DeleteCommand({
            ...item,
            ConditionExpression: isThisStop,
            ExpressionAttributeValues: { ':stops': stops },
          }),
        ),
      ),
  };
};

const toStop = ({ stoppedAtMs, stops, startingAtMs }: Record<string, unknown>): WebhookStop => ({
  stoppedAtMs: Number(stoppedAtMs),
  stops: Number(stops),
  ...(startingAtMs !== undefined && { startingAtMs: Number(startingAtMs) }),
});
