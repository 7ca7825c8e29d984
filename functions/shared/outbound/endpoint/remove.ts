import {
  DeleteApiDestinationCommand,
  DeleteConnectionCommand,
  DeleteRuleCommand,
  RemoveTargetsCommand,
  type Target,
} from '@aws-sdk/client-eventbridge';
import { endpointName } from './definition.ts';
import { type EndpointDeps, orMissing, readEndpoint } from './state.ts';

type Place = Pick<EndpointDeps, 'client' | 'place'>;

/** The target first: then nothing is delivered any more, however far the rest gets. */
export const removeEndpoint = async (clientId: string, { client, place }: Place): Promise<void> => {
  const Name = endpointName(place, clientId);
  const { targets } = await readEndpoint(client, place, clientId);
  await removeTargets(clientId, targets, { client, place });
  await orMissing(client.send(new DeleteRuleCommand({ Name, EventBusName: place.busName })));
  await orMissing(client.send(new DeleteApiDestinationCommand({ Name })));
  await orMissing(client.send(new DeleteConnectionCommand({ Name })));
};

export const removeTargets = async (
  clientId: string,
  targets: readonly Target[],
  { client, place }: Place,
): Promise<void> => {
  if (targets.length === 0) return;
  const removed = await orMissing(
    client.send(
      new RemoveTargetsCommand({
        Rule: endpointName(place, clientId),
        EventBusName: place.busName,
        Ids: targets.map(({ Id = '' }) => Id),
      }),
    ),
  );
  demandAll(removed);
};

type Failed = { ErrorCode?: string | undefined };

/** Both PutTargets and RemoveTargets answer 200 although an entry failed. */
export const demandAll = (answer: { FailedEntries?: readonly Failed[] | undefined } | undefined): void => {
  const [failed] = answer?.FailedEntries ?? [];
  if (failed) throw new Error(`The bus refused the target (${failed.ErrorCode}): try again`);
};
