import type { DynamoDBRecord } from 'aws-lambda';
import { versionedParts } from '../../../functions/shared/domain/transaction/transaction.ts';
import { uuidOf } from './transactions.ts';

type Versions = { version: number; notifyFromVersion?: number; updatedAtMs?: number; parts?: string[] };

export const updatedAtMs = Date.parse('2026-03-01T12:00:00Z');

/** What the stream has of a transaction: numbers as text, and elements that no function should look at. */
const imageOf = ({
  version,
  notifyFromVersion = 1,
  updatedAtMs: at = updatedAtMs,
  parts = ['own'],
}: Versions) => ({
  version: { N: String(version) },
  notifyFromVersion: { N: String(notifyFromVersion) },
  updatedAtMs: { N: String(at) },
  elementVersions: {
    M: Object.fromEntries(
      versionedParts.map((part) => [part, { N: String(parts.includes(part) ? version : 0) }]),
    ),
  },
  customer: { S: '{"name":"Canary Customer"}' },
});

let sequence = 0;

/** A record of a change from `before` to `after`; without `after` a removal. */
export const aStreamRecord = (change: {
  uuid?: string;
  before?: Versions;
  after?: Versions;
}): DynamoDBRecord => {
  sequence += 1;
  return {
    eventName: change.after ? (change.before ? 'MODIFY' : 'INSERT') : 'REMOVE',
    dynamodb: {
      Keys: { uuid: { S: change.uuid ?? uuidOf(1) } },
      SequenceNumber: String(sequence),
      ...(change.before && { OldImage: imageOf(change.before) }),
      ...(change.after && { NewImage: imageOf(change.after) }),
    },
  };
};
