import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isLoopbackAddress } from '../../functions/shared/outbound/probe/public-address.ts';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import { type AwsResponse, fault, type Operations, operation, success } from '../aws/json-protocol.ts';
import { account, region } from '../aws/names.ts';
import { type ApiDestination, type EventRecords, nameInArn, nameSchema } from './records.ts';

/** https, or on this stage http to loopback. The address of a host name is checked when an event is sent. */
const isEndpoint = (text: string): boolean => {
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
};

const isThisMachine = (host: string) =>
  host === 'localhost' || isLoopbackAddress(host.replaceAll(/^\[|\]$/g, ''));

const endpoint = z
  .string()
  .max(2048)
  .refine(isEndpoint, 'An endpoint is an https address, or on this stage http to loopback.');

const rate = z.int().min(1).max(300);
const description = z.string().max(512).optional();

const schemas = {
  create: z.strictObject({
    Name: nameSchema,
    Description: description,
    ConnectionArn: z.string(),
    InvocationEndpoint: endpoint,
    HttpMethod: z.literal('POST'),
    InvocationRateLimitPerSecond: rate.default(300),
  }),
  update: z.strictObject({
    Name: nameSchema,
    Description: description,
    ConnectionArn: z.string().optional(),
    InvocationEndpoint: endpoint.optional(),
    HttpMethod: z.literal('POST').optional(),
    InvocationRateLimitPerSecond: rate.optional(),
  }),
  named: z.strictObject({ Name: nameSchema }),
};

/** Operations on API destinations, which hold the partners' addresses. */
export const destinationOperations = (
  { connections, destinations }: Pick<EventRecords, 'connections' | 'destinations'>,
  now: Clock,
): Operations => {
  const isConnected = (arn: string) => connections.get(nameInArn(arn))?.ConnectionArn === arn;
  const find = (name: string, perform: (destination: ApiDestination) => AwsResponse): AwsResponse => {
    const destination = destinations.get(name);
    return destination
      ? perform(destination)
      : fault('ResourceNotFoundException', `An api-destination '${name}' does not exist.`);
  };
  const noConnection = (arn: string) =>
    fault('ResourceNotFoundException', `Connection '${arn}' does not exist.`);
  /** A destination without its connection is inactive. */
  const stateOf = ({ ConnectionArn }: ApiDestination) => (isConnected(ConnectionArn) ? 'ACTIVE' : 'INACTIVE');

  return {
    CreateApiDestination: operation(schemas.create, (input) => {
      if (destinations.get(input.Name))
        return fault('ResourceAlreadyExistsException', `An api-destination '${input.Name}' already exists.`);
      if (!isConnected(input.ConnectionArn)) return noConnection(input.ConnectionArn);
      const nowMs = now().getTime();
      const destination: ApiDestination = {
        ...input,
        ApiDestinationArn: `arn:aws:events:${region}:${account}:api-destination/${input.Name}/${randomUUID()}`,
        createdMs: nowMs,
        modifiedMs: nowMs,
      };
      destinations.put(input.Name, destination);
      return success(summaryOf(destination, 'ACTIVE'));
    }),
    UpdateApiDestination: operation(schemas.update, (input) =>
      find(input.Name, (destination) => {
        const changed: ApiDestination = { ...destination, ...given(input), modifiedMs: now().getTime() };
        if (!isConnected(changed.ConnectionArn)) return noConnection(changed.ConnectionArn);
        destinations.put(input.Name, changed);
        return success(summaryOf(changed, 'ACTIVE'));
      }),
    ),
    DescribeApiDestination: operation(schemas.named, ({ Name }) =>
      find(Name, (destination) =>
        success({ ...summaryOf(destination, stateOf(destination)), ...detailsOf(destination) }),
      ),
    ),
    DeleteApiDestination: operation(schemas.named, ({ Name }) =>
      find(Name, () => {
        destinations.remove(Name);
        return success();
      }),
    ),
  };
};

/** The given members of a change; others keep their value. */
const given = <Changes extends object>(changes: Changes) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const summaryOf = (
  { ApiDestinationArn, createdMs, modifiedMs }: ApiDestination,
  ApiDestinationState: 'ACTIVE' | 'INACTIVE',
) => ({
  ApiDestinationArn,
  ApiDestinationState,
  CreationTime: createdMs / 1000,
  LastModifiedTime: modifiedMs / 1000,
});

const detailsOf = ({ createdMs: _, modifiedMs: __, ...destination }: ApiDestination) => destination;
