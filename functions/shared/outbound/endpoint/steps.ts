import {
  CreateApiDestinationCommand,
  CreateConnectionCommand,
  DeleteApiDestinationCommand,
  DeleteConnectionCommand,
  DeleteRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  type Target,
  UpdateApiDestinationCommand,
  UpdateConnectionCommand,
} from '@aws-sdk/client-eventbridge';
import type { EndpointPart } from '../../domain/endpoint-step.ts';
import type { Partner } from '../../domain/partner.ts';
import {
  connectionOf,
  destinationOf,
  endpointName,
  type KeyedEndpointSettings,
  ruleOf,
  targetId,
  targetOf,
} from './definition.ts';
import { withinQuota } from './quota.ts';
import { type EndpointState, type EventBridge, orMissing } from './state.ts';

/** A partner whose endpoint is created: `webhookUrl` is the address to serve. */
export type EndpointRequest = { partner: Partner; signature: string };

/** Client and settings for endpoints. */
export type EndpointAccess = { client: EventBridge; settings: KeyedEndpointSettings };

type MakePart = (state: EndpointState, request: EndpointRequest, access: EndpointAccess) => Promise<unknown>;
type RemovePart = (state: EndpointState, clientId: string, access: EndpointAccess) => Promise<unknown>;

/**
 * Creates or changes one part of an endpoint; earlier parts must exist. Throws `QuotaReached` at a quota, and never an error
 * with a signature (S-22).
 */
export const makePart: Record<EndpointPart, MakePart> = {
  connection: ({ connection }, { partner, signature }, { client, settings }) => {
    const wanted = connectionOf(settings, partner, signature);
    if (connection) return withoutValue(client.send(new UpdateConnectionCommand(wanted)), signature);
    const made = withoutValue(client.send(new CreateConnectionCommand(wanted)), signature);
    return withinQuota('connections-quota', made);
  },
  destination: ({ connection, destination }, { partner }, { client, settings }) => {
    const wanted = destinationOf(settings, partner, connection?.ConnectionArn);
    if (destination) return client.send(new UpdateApiDestinationCommand(wanted));
    return withinQuota('destinations-quota', client.send(new CreateApiDestinationCommand(wanted)));
  },
  rule: (_state, { partner }, { client, settings }) =>
    withinQuota('rules-quota', client.send(new PutRuleCommand(ruleOf(settings, partner.clientId)))),
  target: async ({ destination, targets }, { partner: { clientId } }, { client, settings }) => {
    const Targets = [targetOf(settings, destination?.ApiDestinationArn)];
    const rule = { Rule: endpointName(settings, clientId), EventBusName: settings.busName };
    demandAll(await client.send(new PutTargetsCommand({ ...rule, Targets })));
    const foreign = targets.filter(({ Id }) => Id !== targetId);
    await removeTargets(clientId, foreign, { client, settings });
  },
};

/** Removes one part of an endpoint; a missing one is no fault. */
export const removePart: Record<EndpointPart, RemovePart> = {
  target: ({ targets }, clientId, access) => removeTargets(clientId, targets, access),
  rule: (_state, clientId, { client, settings }) => {
    const Name = endpointName(settings, clientId);
    return orMissing(client.send(new DeleteRuleCommand({ Name, EventBusName: settings.busName })));
  },
  destination: (_state, clientId, { client, settings }) =>
    orMissing(client.send(new DeleteApiDestinationCommand({ Name: endpointName(settings, clientId) }))),
  connection: (_state, clientId, { client, settings }) =>
    orMissing(client.send(new DeleteConnectionCommand({ Name: endpointName(settings, clientId) }))),
};

const removeTargets = async (
  clientId: string,
  targets: readonly Target[],
  { client, settings }: EndpointAccess,
): Promise<void> => {
  if (targets.length === 0) return;
  const removed = await orMissing(
    client.send(
      new RemoveTargetsCommand({
        Rule: endpointName(settings, clientId),
        EventBusName: settings.busName,
        Ids: targets.map(({ Id = '' }) => Id),
      }),
    ),
  );
  demandAll(removed);
};

type FailedEntry = { ErrorCode?: string | undefined };

/** Throws if an entry failed: PutTargets and RemoveTargets answer 200 even then. */
const demandAll = (answer: { FailedEntries?: readonly FailedEntry[] | undefined } | undefined): void => {
  const [failed] = answer?.FailedEntries ?? [];
  if (failed) throw new Error(`The bus refused the target (${failed.ErrorCode}): try again`);
};

/** Masks the signature in an error, because a refusal may quote it (S-22). */
const withoutValue = async (sent: Promise<unknown>, signature: string): Promise<void> => {
  try {
    await sent;
  } catch (error) {
    const { name, message } = error as Error;
    throw Object.assign(new Error(message.replaceAll(signature, '(signature)')), { name });
  }
};
