import { TransactGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { EndpointStatus } from '../../domain/endpoint.ts';
import type { Partner, WebhookSignature } from '../../domain/partner.ts';
import { conditionHeld } from '../dynamodb/failure.ts';
import { withRetries } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { listClientIds, profilesIn, readItems } from './directory.ts';
import { profileKey, signatureKey, webhookSwitchKey } from './keys.ts';
import { partnerOfItem, signatureOfItem } from './profile-item.ts';
import { isStopped, isSwitch, startedAtMsIn } from './webhook-switch.ts';

/** The wish for a partner's endpoint, and what was reached of it. */
export type EndpointRecord = {
  /** Undefined if the partner was deleted. */
  partner: Partner | undefined;
  status: EndpointStatus | undefined;
  /** The switch for the webhooks of the whole stage (S-77). */
  isStopped: boolean;
  /** When they were last started. Absent if never, or if they are stopped. */
  startedAtMs?: number | undefined;
};

/** The same, with the signature and the address that its endpoint needs. */
export type SignedEndpointRecord = EndpointRecord & { signature: WebhookSignature | undefined };

/** What `keep-endpoints` reads and writes of partners. */
export type EndpointStore = {
  /** All parts as of one instant, so that a signature is never combined with the time of another one (S-27). */
  read: (clientId: string) => Promise<SignedEndpointRecord>;
  /** The existing ones, without their signatures. */
  readMany: (clientIds: readonly string[]) => Promise<Map<string, EndpointRecord>>;
  /** False if the partner was deleted. Then nothing is written. */
  write: (clientId: string, status: EndpointStatus) => Promise<boolean>;
  clientIds: () => Promise<string[]>;
};

const switchedBy = (item: Record<string, unknown> = {}) => ({
  isStopped: isStopped(item),
  startedAtMs: startedAtMsIn(item),
});

/** Over the Partners table. The role may write only the attribute `endpoint` of a profile (S-80). */
export const createEndpointStore = (access: TableAccess<'partnersTable'>): EndpointStore => {
  const { documents, partnersTable: TableName, retryDelays } = access;
  return {
    read: async (clientId) => {
      const keys = [profileKey(clientId), signatureKey(clientId), webhookSwitchKey];
      const request = new TransactGetCommand({
        TransactItems: keys.map((Key) => ({ Get: { TableName, Key } })),
      });
      const { Responses = [] } = await withRetries(() => documents.send(request), retryDelays);
      const [profile, signature, stop] = Responses.map(({ Item }) => Item);
      return {
        ...{ partner: profile && partnerOfItem(profile), status: profile?.endpoint },
        signature: signature && signatureOfItem(signature),
        ...switchedBy(stop),
      };
    },
    readMany: async (clientIds) => {
      if (clientIds.length === 0) return new Map();
      const items = await readItems(access, [webhookSwitchKey, ...clientIds.map(profileKey)]);
      const turned = switchedBy(items.find(isSwitch));
      return new Map(
        profilesIn(items).map(({ partner, endpoint }) => [
          partner.clientId,
          { partner, status: endpoint, ...turned },
        ]),
      );
    },
    write: (clientId, status) =>
      conditionHeld(
        documents.send(
          new UpdateCommand({
            ...{ TableName, Key: profileKey(clientId) },
            UpdateExpression: 'SET endpoint = :status',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: { ':status': status },
          }),
        ),
      ),
    clientIds: () => listClientIds(access),
  };
};
