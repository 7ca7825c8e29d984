import { randomUUID } from 'node:crypto';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { refuse, succeed } from '../../../../functions/shared/domain/outcome.ts';
import type { Partner, PartnerChange } from '../../../../functions/shared/domain/partner.ts';
import { consistentGet } from '../../../../functions/shared/store/dynamodb/consistent-get.ts';
import { conditionHeld, failedConditionIn } from '../../../../functions/shared/store/dynamodb/failure.ts';
import { withRetries } from '../../../../functions/shared/store/dynamodb/retry.ts';
import type { Statement } from '../../../../functions/shared/store/dynamodb/statement.ts';
import type { TableAccess } from '../../../../functions/shared/store/dynamodb/table-access.ts';
import { createCredentialsReader } from '../../../../functions/shared/store/partners/credentials.ts';
import {
  hashesKey,
  nameKey,
  profileKey,
  signatureKey,
  usesKey,
} from '../../../../functions/shared/store/partners/keys.ts';
import { createPartnerNotes } from '../../../../functions/shared/store/partners/notes.ts';
import { hashesItem, profileItem } from '../../../../functions/shared/store/partners/profile-item.ts';
import { createPartnerReader } from '../../../../functions/shared/store/partners/reader.ts';
import { secretUpdates } from '../../../../functions/shared/store/partners/record-updates.ts';
import { signatureUpdate } from '../../../../functions/shared/store/partners/signature-update.ts';
import { readAllPartners } from './all-partners.ts';
import { stepsOf } from './grant-change.ts';
import { granteeStatements } from './grantee-updates.ts';
import type { PartnerStore } from './partner-store.ts';
import { isAsRead, recordUpdate } from './record-update.ts';

const isNew = 'attribute_not_exists(pk)';
const exists = 'attribute_exists(pk)';

/**
 * Partners in DynamoDB. A partner has four items: profile, hashes of its secrets, entry of its name, and webhook signature.
 * One atomic write creates or removes all four, and updates the index of grantees (GRANT-4). A removal also deletes the days
 * on which secrets were used. Every read is strongly consistent.
 */
export const createPartnerStore = (
  access: TableAccess<'partnersTable'>,
  /** What a change does to the partner's events, as parts of the same write. */
  eventsOf: (change: PartnerChange) => Statement[] = () => [],
): PartnerStore => {
  const { documents, retryDelays } = access;
  const TableName = access.partnersTable;
  const table = { TableName };

  const { profileOf, usesOf } = createPartnerReader(access);
  const { credentialsOf } = createCredentialsReader(access);

  const byClientId: PartnerStore['byClientId'] = async (clientId) => (await profileOf(clientId))?.partner;

  const byName: PartnerStore['byName'] = async (name) => {
    const { Item } = await documents.send(consistentGet(access.partnersTable, nameKey(name)));
    return Item && byClientId(Item.clientId as string);
  };

  const allWithStatus: PartnerStore['allWithStatus'] = () => readAllPartners(access);
  const all: PartnerStore['all'] = async () => (await allWithStatus()).map(({ partner }) => partner);

  /** Retries, since two operators may write the same index row at once. The token keeps a retry from writing twice. */
  const transact = (TransactItems: Statement[]) => {
    const command = new TransactWriteCommand({ TransactItems, ClientRequestToken: randomUUID() });
    return withRetries(() => documents.send(command), retryDelays);
  };

  /** Returns what refused the write: the record, or one of `more`. */
  const write = async (change: PartnerChange, more: Statement[]) => {
    const own = [recordUpdate(TableName, change), ...granteeStatements(TableName, change)];
    const failed = await failedConditionIn(transact([...own, ...more]));
    if (failed === undefined) return undefined;
    return failed < own.length ? 'record' : 'more';
  };

  /** Writes many grants in several steps; `more` is part of the last one. */
  const writeAll = async (steps: readonly PartnerChange[], more: Statement[] = []) => {
    for (const step of steps) {
      const refused = await write(step, step === steps.at(-1) ? more : []);
      if (refused) return refused;
    }
    return undefined;
  };

  const create: PartnerStore['create'] = async (credentials, webhookSignature) => {
    const { partner, secrets } = credentials;
    const { clientId, name } = partner;
    const nobody = { ...partner, grants: [] };
    const [first, ...others] = stepsOf({ before: nobody, after: partner });
    const made = first?.after ?? partner;
    const puts = [
      { ...nameKey(name), clientId },
      profileItem({ ...credentials, partner: made }),
      hashesItem(clientId, secrets),
      { ...signatureKey(clientId), signature: webhookSignature },
    ].map((Item) => ({ Put: { ...table, Item, ConditionExpression: isNew } }));
    const grantees = granteeStatements(TableName, { before: nobody, after: made });
    const failed = await failedConditionIn(transact([...puts, ...grantees]));
    if (failed === 0) return refuse('name-taken');
    if (failed !== undefined) throw new Error(`The client id ${clientId} is taken`);
    if (await writeAll(others)) throw new Error(`The partner ${name} was changed while it was made`);
    return succeed(partner);
  };

  const update: PartnerStore['update'] = async (change, { isRepeated = false } = {}) => {
    const refused = await writeAll(stepsOf(change), isRepeated ? [] : eventsOf(change));
    if (refused === undefined) return succeed(change.after);
    return refuse(refused === 'more' ? 'being-withheld' : 'changed-meanwhile');
  };

  const rotateSignature: PartnerStore['rotateSignature'] = async (change, step) => {
    const Update = { ...table, Key: signatureKey(change.after.clientId), ...signatureUpdate(step) };
    return (await writeAll(stepsOf(change), [{ Update }]))
      ? refuse('changed-meanwhile')
      : succeed(change.after);
  };

  const replaceSecrets: PartnerStore['replaceSecrets'] = async (clientId, change) =>
    (await conditionHeld(transact(secretUpdates(TableName, clientId, change))))
      ? succeed(undefined)
      : refuse('changed-meanwhile');

  const endTokens: PartnerStore['endTokens'] = async (clientId, tokensFromMs) => {
    const command = new UpdateCommand({
      ...table,
      Key: profileKey(clientId),
      UpdateExpression: 'SET tokensFromMs = :from',
      ConditionExpression: `${exists} AND (attribute_not_exists(tokensFromMs) OR tokensFromMs < :from)`,
      ExpressionAttributeValues: { ':from': tokensFromMs },
    });
    const isThere = (await conditionHeld(documents.send(command))) || (await byClientId(clientId));
    return isThere ? succeed(undefined) : refuse('not-found');
  };

  const forgetEndpoint: PartnerStore['forgetEndpoint'] = async (clientId) => {
    const command = new UpdateCommand({
      ...table,
      Key: profileKey(clientId),
      UpdateExpression: 'REMOVE endpoint',
      ConditionExpression: exists,
    });
    await conditionHeld(documents.send(command));
  };

  const addToIndex: PartnerStore['addToIndex'] = async (partner) => {
    for (const step of stepsOf({ before: { ...partner, grants: [] }, after: partner })) {
      const grantees = granteeStatements(TableName, step);
      if (grantees.length > 0) await transact(grantees);
    }
  };

  const removeAsRead = (partner: Partner) => {
    const { clientId, name } = partner;
    const keys = [hashesKey(clientId), usesKey(clientId), signatureKey(clientId), nameKey(name)];
    const Delete = isAsRead(TableName, partner);
    const grantees = granteeStatements(TableName, { before: partner, after: { ...partner, grants: [] } });
    return conditionHeld(
      transact([{ Delete }, ...keys.map((Key) => ({ Delete: { ...table, Key } })), ...grantees]),
    );
  };

  /** Removes many grants in steps before the partner. Begins anew where the record changes meanwhile. */
  const remove: PartnerStore['remove'] = async (clientId) => {
    const partner = await byClientId(clientId);
    if (!partner) return refuse('not-found');
    const steps = stepsOf({ before: partner, after: { ...partner, grants: [] } });
    const last = steps.at(-1)?.before ?? partner;
    const isRemoved = !(await writeAll(steps.slice(0, -1))) && (await removeAsRead(last));
    return isRemoved ? succeed(undefined) : remove(clientId);
  };

  return {
    ...createPartnerNotes(access),
    usesOf,
    ...{ profileOf, byClientId, credentialsOf, byName, all, allWithStatus, create, update },
    ...{ replaceSecrets, endTokens, forgetEndpoint, addToIndex, rotateSignature, remove },
  };
};
