import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mostWrong, recentTimes, wrongSecretMs } from '../../domain/wrong-secrets.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** Times of wrong secrets, by an id for the client and its network. */
export type WrongSecretStore = {
  timesOf: (id: string) => Promise<number[]>;
  /** Adds a time and returns all. Of two at the same moment, on any machines, one sees the other. */
  add: (id: string, atMs: number) => Promise<number[]>;
};

const keyOf = (id: string) => ({ pk: `WRONG#${id}`, sk: '0' });

/** Forty times are 400 bytes, a write of one unit. Older ones are removed once in twenty writes. */
const mostKept = 2 * mostWrong;

/** One item for each id. `expiresAt` is for the engine's TTL, in whole seconds. */
export const createWrongSecretStore = ({
  documents,
  requestsTable,
}: TableAccess<'requestsTable'>): WrongSecretStore => {
  const change = async (
    id: string,
    expression: string,
    values: Record<string, unknown>,
    condition?: string,
  ) => {
    const command = new UpdateCommand({
      TableName: requestsTable,
      Key: keyOf(id),
      UpdateExpression: expression,
      ...(condition !== undefined && { ConditionExpression: condition }),
      ExpressionAttributeNames: { '#times': 'times' },
      ExpressionAttributeValues: values,
      ReturnValues: 'UPDATED_NEW',
    });
    return (await documents.send(command)).Attributes?.times as number[];
  };

  const add = (id: string, atMs: number) =>
    change(id, 'SET #times = list_append(if_not_exists(#times, :none), :one), expiresAt = :end', {
      ':none': [],
      ':one': [atMs],
      ':end': Math.ceil((atMs + wrongSecretMs) / 1000),
    });

  /** If another time is added meanwhile, the next write removes old ones. */
  const takeOff = (id: string, seen: readonly number[], kept: readonly number[]) =>
    conditionHeld(change(id, 'SET #times = :kept', { ':kept': kept, ':seen': seen }, '#times = :seen'));

  return {
    timesOf: async (id) => {
      const { Item } = await documents.send(consistentGet(requestsTable, keyOf(id)));
      return (Item?.times ?? []) as number[];
    },
    add: async (id, atMs) => {
      const times = await add(id, atMs);
      if (times.length > mostKept) await takeOff(id, times, recentTimes(times, atMs).slice(-mostWrong - 1));
      return times;
    },
  };
};
