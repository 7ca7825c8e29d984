import type { DynamoDBRecord } from 'aws-lambda';
import { type Outcome, refuse, succeed } from '../shared/domain/outcome.ts';
import { versionedParts } from '../shared/domain/transaction/transaction.ts';

/** A change that partners may have to be notified of. */
export type CapturedChange = { uuid: string; changed: string[]; changedAtMs: number };

/** Why a record is skipped: a removal, a save that changed nothing, or a version before `notifyFromVersion` (EV-10). */
export type SkipReason = 'removed' | 'unchanged' | 'not-notified';

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

/**
 * Reads only the key and the versions of a record, and skips it only if it certainly notifies nobody. A record without
 * readable versions counts as changed now: the sender decides from the transaction itself.
 */
export const readRecord = (
  { dynamodb = {} }: DynamoDBRecord,
  now: Date,
): Outcome<CapturedChange, SkipReason> => {
  const { Keys, NewImage, OldImage } = dynamodb;
  if (!NewImage) return refuse('removed');
  const uuid = Keys?.uuid?.S;
  if (uuid === undefined) throw new Error('A stream record has no uuid');
  const version = numberOf(NewImage, 'version');
  if (version !== undefined && version === numberOf(OldImage, 'version')) return refuse('unchanged');
  if (version !== undefined && version < (numberOf(NewImage, 'notifyFromVersion') ?? 0))
    return refuse('not-notified');
  const changed = changedParts(NewImage, version);
  if (changed.length === 0 && isReadable(NewImage, version)) return refuse('unchanged');
  const changedAtMs = numberOf(NewImage, 'updatedAtMs') ?? now.getTime();
  return succeed({ uuid, changed, changedAtMs });
};

/** A change raises the version of a part; a restore raises only that of the transaction (DR-3). */
const isReadable = ({ elementVersions }: Image, version: number | undefined): boolean =>
  version !== undefined && elementVersions?.M !== undefined;

const changedParts = ({ elementVersions }: Image, version: number | undefined): string[] =>
  versionedParts.filter(
    (part) => version !== undefined && numberOf(elementVersions?.M as Image | undefined, part) === version,
  );

const numberOf = (image: Image | undefined, name: string): number | undefined => {
  const text = image?.[name]?.N;
  return text === undefined ? undefined : Number(text);
};
