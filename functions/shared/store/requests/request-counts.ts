import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RatePolicy } from '../../domain/rate-limit.ts';
import { type RandomBytes, randomText } from '../../runtime/random-text.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';

/** A window of one partner under one policy. Its start is in seconds since 1970. */
export type RequestWindow = { clientId: string; policy: RatePolicy; startSeconds: number };

/** Counts the requests of partners over all processes. */
export type RequestCounts = {
  /** Adds one share of requests, and returns the number of requests in all shares of the window. */
  addShare: (window: RequestWindow) => Promise<number>;
};

/** The count is not worth a longer delay for the caller. */
const longestWaitMs = 250;

/**
 * One item for each partner, policy and window. Shares are a set of ids, not a number, because the SDK may send an
 * update twice, and a share must count once. `expiresAt` is for the engine's TTL, in whole seconds.
 */
export const createRequestCounts = ({
  documents,
  requestsTable,
  random,
}: TableAccess<'requestsTable'> & { random: RandomBytes }): RequestCounts => ({
  addShare: async ({ clientId, policy, startSeconds }) => {
    const request = new UpdateCommand({
      TableName: requestsTable,
      Key: { pk: `RATE#${clientId}`, sk: `${policy.name}#${startSeconds}` },
      UpdateExpression: 'ADD #shares :share SET #expiresAt = :end',
      ExpressionAttributeNames: { '#shares': 'shares', '#expiresAt': 'expiresAt' },
      ExpressionAttributeValues: {
        ':share': new Set([randomText(random, 8)]),
        ':end': startSeconds + policy.windowSeconds,
      },
      ReturnValues: 'UPDATED_NEW',
    });
    const { Attributes } = await documents.send(request, { abortSignal: AbortSignal.timeout(longestWaitMs) });
    const shares = Attributes?.shares as Set<string>;
    return shares.size * policy.shareSize;
  },
});
