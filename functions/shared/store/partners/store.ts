import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { refuse, succeed } from '../../domain/outcome.ts';
import type { PartnerChange, StoredSecret } from '../../domain/partner.ts';
import { createPartnerDirectory } from './directory.ts';
import { nameKey, profileKey, signatureKey } from './keys.ts';
import type { PartnerStore } from './partner-store.ts';
import { createPartnerReader } from './reader.ts';

const isNew = 'attribute_not_exists(pk)';
const exists = 'attribute_exists(pk)';

/**
 * Partners in DynamoDB. A partner is its profile (with hashed secrets), its name's entry and its webhook signature;
 * the three come and go in one atomic write. Every read is strongly consistent.
 */
export const createPartnerStore = (client: DynamoDBDocumentClient, tableName: string): PartnerStore => {
  const table = { TableName: tableName };

  const { byClientId, credentialsOf } = createPartnerReader(client, tableName);

  const byName: PartnerStore['byName'] = async (name) => {
    const { Item } = await client.send(
      new GetCommand({ ...table, Key: nameKey(name), ConsistentRead: true }),
    );
    return Item && byClientId(Item.clientId as string);
  };

  const { all } = createPartnerDirectory(client, tableName);

  const create: PartnerStore['create'] = async ({ partner, secrets }, webhookSignature) => {
    const { clientId, name } = partner;
    const puts = [
      { ...nameKey(name), clientId },
      { ...profileKey(clientId), partner, secrets },
      { ...signatureKey(clientId), signature: webhookSignature },
    ];
    const command = new TransactWriteCommand({
      TransactItems: puts.map((Item) => ({ Put: { ...table, Item, ConditionExpression: isNew } })),
    });
    return (await isFirstRefused(client.send(command))) ? refuse('name-taken') : succeed(partner);
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
    return (await isRefused(client.send(command))) ? refuse('changed-meanwhile') : succeed(change.after);
  };

  const signatureOf: PartnerStore['signatureOf'] = async (clientId) => {
    const { Item } = await client.send(
      new GetCommand({ ...table, Key: signatureKey(clientId), ConsistentRead: true }),
    );
    return Item && { signature: Item.signature, ...(Item.next !== undefined && { next: Item.next }) };
  };

  const replaceSignature: PartnerStore['replaceSignature'] = async (change, signature) => {
    const Item = { ...signatureKey(change.after.clientId), ...signature };
    const command = new TransactWriteCommand({
      TransactItems: [{ Update: toUpdate(change) }, { Put: { ...table, Item } }],
    });
    return (await isFirstRefused(client.send(command))) ? refuse('changed-meanwhile') : succeed(change.after);
  };

  const replaceSecrets: PartnerStore['replaceSecrets'] = async (clientId, secrets) => {
    const command = new UpdateCommand({
      ...table,
      Key: profileKey(clientId),
      UpdateExpression: 'SET secrets = :secrets',
      ConditionExpression: exists,
      ExpressionAttributeValues: { ':secrets': secrets satisfies StoredSecret[] },
    });
    return (await isRefused(client.send(command))) ? refuse('not-found') : succeed(secrets);
  };

  const remove: PartnerStore['remove'] = async (clientId) => {
    const partner = await byClientId(clientId);
    if (!partner) return refuse('not-found');
    const keys = [profileKey(clientId), nameKey(partner.name), signatureKey(clientId)];
    const command = new TransactWriteCommand({
      TransactItems: keys.map((Key, index) => ({
        Delete: { ...table, Key, ...(index === 0 && { ConditionExpression: exists }) },
      })),
    });
    return (await isFirstRefused(client.send(command))) ? refuse('not-found') : succeed(undefined);
  };

  return {
    ...{ byClientId, credentialsOf, byName, all, create, update },
    ...{ replaceSecrets, signatureOf, replaceSignature, remove },
  };
};

/** Whether the condition of a single write failed; any other failure is thrown. */
export const isRefused = async (sent: Promise<unknown>): Promise<boolean> => {
  try {
    await sent;
    return false;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return true;
    throw error;
  }
};

/** Whether the condition of the first write of an atomic group failed; any other failure is thrown. */
export const isFirstRefused = async (sent: Promise<unknown>): Promise<boolean> => {
  try {
    await sent;
    return false;
  } catch (error) {
    if (isCancelled(error) && error.CancellationReasons?.[0]?.Code === 'ConditionalCheckFailed') return true;
    throw error;
  }
};

const isCancelled = (error: unknown): error is TransactionCanceledException =>
  error instanceof Error && error.name === 'TransactionCanceledException';
