import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { countedTimes, type RatePolicy, type RateStanding, standingOf } from '../../domain/rate-limit.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** When a partner made requests of a kind that is limited. */
export type RequestTimes = {
  /** Takes a request where the quota has room: one that is refused counts for nothing. */
  take: (clientId: string, policy: RatePolicy, nowMs: number) => Promise<RateStanding>;
};

/** So often another request of the same partner may be faster. */
const mostTries = 5;

/** One item for each partner and policy. `expiresAt` is for the engine, which counts whole seconds. */
export const createRequestTimes = (access: TableAccess<'requestsTable'>): RequestTimes => ({
  take: async (clientId, policy, nowMs) => {
    const Key = { pk: `RATE#${clientId}`, sk: policy.name };
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const seen = await timesAt(access, Key);
      const counted = countedTimes(seen ?? [], policy, nowMs);
      if (counted.length >= policy.quota) return standingOf(counted, policy, { isTaken: false, nowMs });
      const times = [...counted, nowMs];
      if (await replaceTimes(access, { Key, seen, times, policy }))
        return standingOf(times, policy, { isTaken: true, nowMs });
    }
    return { isTaken: false, remaining: 0, resetSeconds: 1 };
  },
});

type Key = { pk: string; sk: string };

const timesAt = async ({ documents, requestsTable, retryDelays }: TableAccess<'requestsTable'>, key: Key) => {
  const request = consistentGet(requestsTable, key);
  const { Item } = await withRetries(() => documents.send(request), retryDelays);
  return Item?.times as number[] | undefined;
};

type Replacement = { Key: Key; seen: number[] | undefined; times: number[]; policy: RatePolicy };

/** On the condition that no other request came in between. */
const replaceTimes = (
  { documents, requestsTable, retryDelays }: TableAccess<'requestsTable'>,
  { Key, seen, times, policy }: Replacement,
): Promise<boolean> => {
  const lastMs = Math.max(...times);
  const request = new UpdateCommand({
    TableName: requestsTable,
    Key,
    UpdateExpression: 'SET #times = :times, #expiresAt = :end',
    ConditionExpression: seen ? '#times = :seen' : 'attribute_not_exists(#times)',
    ExpressionAttributeNames: { '#times': 'times', '#expiresAt': 'expiresAt' },
    ExpressionAttributeValues: {
      ':times': times,
      ':end': Math.ceil(lastMs / 1000) + policy.windowSeconds,
      ...(seen && { ':seen': seen }),
    },
  });
  return conditionHeld(withRetries(() => documents.send(request), retryDelays));
};
