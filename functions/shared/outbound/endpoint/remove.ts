import {
  DeleteApiDestinationCommand,
  DeleteConnectionCommand,
  DeleteRuleCommand,
  RemoveTargetsCommand,
  type Target,
} from '@aws-sdk/client-eventbridge';
import { endpointName } from './definition.ts';
import { type EndpointDeps, orMissing, readEndpoint } from './state.ts';

type EndpointAccess = Pick<EndpointDeps, 'client' | 'settings'>;

/** Removes a partner's endpoint, the target first: then nothing is delivered any more, however far the rest gets. */
export const removeEndpoint = async (
  clientId: string,
  { client, settings }: EndpointAccess,
): Promise<void> => {
  const Name = endpointName(settings, clientId);
  const { targets } = await readEndpoint(client, settings, clientId);
  await removeTargets(clientId, targets, { client, settings });
  await orMissing(client.send(new DeleteRuleCommand({ Name, EventBusName: settings.busName })));
  await orMissing(client.send(new DeleteApiDestinationCommand({ Name })));
  await orMissing(client.send(new DeleteConnectionCommand({ Name })));
};

/** Removes targets of a partner's rule. */
export const removeTargets = async (
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

/** Throws where an entry failed: PutTargets and RemoveTargets answer 200 all the same. */
export const demandAll = (
  answer: { FailedEntries?: readonly FailedEntry[] | undefined } | undefined,
): void => {
  const [failed] = answer?.FailedEntries ?? [];
  if (failed) throw new Error(`The bus refused the target (${failed.ErrorCode}): try again`);
};
