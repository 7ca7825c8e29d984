import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { refuse, succeed } from '../../domain/outcome.ts';
import type { PartnerChange } from '../../domain/partner.ts';
import { consistentGet } from '../dynamodb/consistent-get.ts';
import { conditionHeld, failedConditionIn } from '../dynamodb/failure.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { createCredentialsReader } from './credentials.ts';
import { readAllPartners } from './directory.ts';
import { hashesKey, nameKey, profileKey, signatureKey } from './keys.ts';
import { createPartnerNotes } from './notes.ts';
import type { PartnerStore } from './partner-store.ts';
import { factsById, hashesById, hashesItem, profileItem } from './profile-item.ts';
import { createPartnerReader } from './reader.ts';

const isNew = 'attribute_not_exists(pk)';
const exists = 'attribute_exists(pk)';

/**
 * Partners in DynamoDB. A partner is its profile, the hashes of its secrets, its name's entry and its webhook signature;
 * the four come and go in one atomic write. Every read is strongly consistent.
 */
export const createPartnerStore = (access: TableAccess<'partnersTable'>): PartnerStore => {
  const { documents } = access;
  const table = { TableName: access.partnersTable };

  const { profileOf } = createPartnerReader(access);
  const { credentialsOf } = createCredentialsReader(access);

  const byClientId: PartnerStore['byClientId'] = async (clientId) => (await profileOf(clientId))?.partner;

  const byName: PartnerStore['byName'] = async (name) => {
    const { Item } = await documents.send(consistentGet(access.partnersTable, nameKey(name)));
    return Item && byClientId(Item.clientId as string);
  };

  const all: PartnerStore['all'] = () => readAllPartners(access);

  const create: PartnerStore['create'] = async (credentials, webhookSignature) => {
    const { partner, secrets } = credentials;
    const { clientId, name } = partner;
    const puts = [
      { ...nameKey(name), clientId },
      profileItem(credentials),
      hashesItem(clientId, secrets),
      { ...signatureKey(clientId), signature: webhookSignature },
    ];
    const command = new TransactWriteCommand({
      TransactItems: puts.map((Item) => ({ Put: { ...table, Item, ConditionExpression: isNew } })),
    });
    const failed = await failedConditionIn(documents.send(command));
    if (failed === undefined) return succeed(partner);
    if (failed === 0) return refuse('name-taken');
    throw new Error(`The client id ${clientId} is taken`);
  };

  /** The whole record is compared: what two operators do at the same time, neither undoes unseen. */
  const toUpdate = ({ before, after }: PartnerChange) => ({
    ...table,
    Key: profileKey(after.clientId),
    UpdateExpression: 'SET #partner = :after',
    ConditionExpression: '#partner = :before AND #partner.#name = :name',
    ExpressionAttributeNames: { '#partner': 'partner', '#name': 'name' },
    ExpressionAttributeValues: { ':before': before, ':after': after, ':name': after.name },
  });

  const update: PartnerStore['update'] = async (change) => {
    const command = new UpdateCommand(toUpdate(change));
    return (await conditionHeld(documents.send(command)))
      ? succeed(change.after)
      : refuse('changed-meanwhile');
  };

  const signatureOf: PartnerStore['signatureOf'] = async (clientId) => {
    const { Item } = await documents.send(consistentGet(access.partnersTable, signatureKey(clientId)));
    return Item && { signature: Item.signature, ...(Item.next !== undefined && { next: Item.next }) };
  };

  const replaceSignature: PartnerStore['replaceSignature'] = async (change, signature) => {
    const Item = { ...signatureKey(change.after.clientId), ...signature };
    const command = new TransactWriteCommand({
      TransactItems: [{ Update: toUpdate(change) }, { Put: { ...table, Item } }],
    });
    return (await conditionHeld(documents.send(command)))
      ? succeed(change.after)
      : refuse('changed-meanwhile');
  };

  const replaceSecrets: PartnerStore['replaceSecrets'] = async (clientId, { before, after }) => {
    const Update = {
      ...table,
      Key: profileKey(clientId),
      UpdateExpression: 'SET secrets = :after',
      ConditionExpression: 'secrets = :before',
      ExpressionAttributeValues: { ':before': factsById(before), ':after': factsById(after) },
    };
    const Put = {
      ...table,
      Item: hashesItem(clientId, after),
      ConditionExpression: 'hashes = :before',
      ExpressionAttributeValues: { ':before': hashesById(before) },
    };
    const command = new TransactWriteCommand({ TransactItems: [{ Update }, { Put }] });
    return (await conditionHeld(documents.send(command))) ? succeed(undefined) : refuse('changed-meanwhile');
  };

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

  const remove: PartnerStore['remove'] = async (clientId) => {
    const partner = await byClientId(clientId);
    if (!partner) return refuse('not-found');
    const keys = [profileKey, hashesKey, signatureKey].map((keyOf) => keyOf(clientId));
    const command = new TransactWriteCommand({
      TransactItems: [...keys, nameKey(partner.name)].map((Key, index) => ({
        Delete: { ...table, Key, ...(index === 0 && { ConditionExpression: exists }) },
      })),
    });
    return (await conditionHeld(documents.send(command))) ? succeed(undefined) : refuse('not-found');
  };

  return {
    ...createPartnerNotes(access),
    ...{ profileOf, byClientId, credentialsOf, byName, all, create, update },
    ...{ replaceSecrets, endTokens, signatureOf, replaceSignature, remove },
  };
};
