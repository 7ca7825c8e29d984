import {
  DescribeApiDestinationCommand,
  type DescribeApiDestinationResponse,
  DescribeConnectionCommand,
  type DescribeConnectionResponse,
  DescribeRuleCommand,
  type DescribeRuleResponse,
  type EventBridgeClient,
  ListConnectionsCommand,
  ListTargetsByRuleCommand,
  type Target,
} from '@aws-sdk/client-eventbridge';
import { isClientId } from '../../domain/partner.ts';
import { type EndpointSettings, endpointName } from './definition.ts';

/** The methods of the client that endpoints need. */
export type EventBridge = Pick<EventBridgeClient, 'send'>;

/** The resources of one partner; any part may be missing. */
export type EndpointState = {
  connection?: DescribeConnectionResponse;
  destination?: DescribeApiDestinationResponse;
  rule?: DescribeRuleResponse;
  targets: Target[];
};

/** Reads the resources of one partner. */
export const readEndpoint = async (
  client: EventBridge,
  settings: EndpointSettings,
  clientId: string,
): Promise<EndpointState> => {
  const Name = endpointName(settings, clientId);
  const inBus = { EventBusName: settings.busName };
  const [connection, destination, rule, listed] = await Promise.all([
    orMissing(client.send(new DescribeConnectionCommand({ Name }))),
    orMissing(client.send(new DescribeApiDestinationCommand({ Name }))),
    orMissing(client.send(new DescribeRuleCommand({ Name, ...inBus }))),
    // A rule has at most five targets: one page.
    orMissing(client.send(new ListTargetsByRuleCommand({ Rule: Name, ...inBus }))),
  ]);
  return {
    ...(connection && { connection }),
    ...(destination && { destination }),
    ...(rule && { rule }),
    targets: listed?.Targets ?? [],
  };
};

/**
 * Client IDs with a connection at EventBridge, which is created first and removed last; also of partners without a record.
 * The account may have connections of others.
 */
export const clientIdsAtBus = async (client: EventBridge, settings: EndpointSettings): Promise<string[]> => {
  const NamePrefix = endpointName(settings, '');
  const found: string[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(
      new ListConnectionsCommand({ NamePrefix, Limit: 100, ...(NextToken !== undefined && { NextToken }) }),
    );
    for (const { Name = '' } of page.Connections ?? [])
      if (Name.startsWith(NamePrefix)) found.push(Name.slice(NamePrefix.length));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  // Other names with this prefix are not ours, and must not be removed.
  return found.filter(isClientId);
};

/** Returns undefined for a missing resource. */
export const orMissing = async <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};
