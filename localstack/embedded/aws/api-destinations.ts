import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isLoopbackAddress } from '../../../functions/shared/outbound/probe/public-address.ts';
import type { Records } from '../state.ts';
import { arn } from '../wiring.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';

/** The name in an ARN of EventBridge, which is followed by an id. */
export const nameInArn = (text: string): string => text.split('/')[1] ?? '';

export const name = z.string().regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'Not a name.');
export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,512}$/, 'Not the name of a header.');
export const headerValue = z.string().regex(/^[\t -~]{1,512}$/, 'Not the value of a header.');

/** https, or on this stage http to loopback. The address of a host name is checked when an event is sent. */
const isEndpoint = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  const isHere = hostname === 'localhost' || isLoopbackAddress(hostname.replaceAll(/^\[|\]$/g, ''));
  return protocol === 'https:' || (protocol === 'http:' && isHere);
};

const connectionInput = z.strictObject({
  Name: name,
  Description: z.string().max(512).optional(),
  // Taken without effect, since the stage encrypts nothing.
  KmsKeyIdentifier: z.string().optional(),
  AuthorizationType: z.literal('API_KEY'),
  AuthParameters: z.strictObject({
    ApiKeyAuthParameters: z.strictObject({ ApiKeyName: headerName, ApiKeyValue: headerValue }),
  }),
});
const destinationInput = z.strictObject({
  Name: name,
  ConnectionArn: z.string(),
  InvocationEndpoint: z
    .string()
    .refine(isEndpoint, 'An endpoint is an https address, or on this stage http to loopback.'),
  HttpMethod: z.literal('POST'),
  InvocationRateLimitPerSecond: z.int().min(1).max(300).default(300),
});
const inputs = {
  named: z.strictObject({ Name: name }),
  connections: z.strictObject({ NamePrefix: name, Limit: z.int() }),
  connectionChange: connectionInput.partial().required({ Name: true }),
  destinationChange: destinationInput.partial().required({ Name: true }),
};

/** A connection with its secret, which is only sent to the destination. */
export type Connection = z.output<typeof connectionInput> & { ConnectionArn: string };
export type Destination = z.output<typeof destinationInput> & { ApiDestinationArn: string };

/** The ends of the bus, which `keep-endpoints` makes for partners. */
export type EndpointRecords = { connections: Records<Connection>; destinations: Records<Destination> };

export const missing = (sentence: string) =>
  fault('ResourceNotFoundException', `${sentence} does not exist.`);
const existing = (name: string) => fault('ResourceAlreadyExistsException', `${name} already exists.`);

/** An operation on the record that the input names. */
const onNamed =
  <Value>(records: Records<Value>) =>
  <Schema extends z.ZodType<{ Name: string }>>(
    schema: Schema,
    perform: (found: Value, input: z.output<Schema>) => AwsAnswer,
  ): Operation =>
    operation(schema, (input) => {
      const found = records.get(input.Name);
      return found ? perform(found, input) : missing(input.Name);
    });

/** The operations on connections, which hold the credentials for destinations. No answer contains a secret value. */
export const connectionOperations = ({ connections }: EndpointRecords): Operations => {
  const onOne = onNamed(connections);
  const keep = (connection: Connection) => {
    connections.put(connection.Name, connection);
    return success(summaryOf(connection));
  };
  const summaryOf = ({ ConnectionArn }: Connection) => ({ ConnectionArn, ConnectionState: 'AUTHORIZED' });
  return {
    'AWSEvents.CreateConnection': operation(connectionInput, (input) =>
      connections.get(input.Name)
        ? existing(input.Name)
        : keep({ ...input, ConnectionArn: arn('events', `connection/${input.Name}/${randomUUID()}`) }),
    ),
    'AWSEvents.UpdateConnection': onOne(inputs.connectionChange, (connection, change) =>
      keep({ ...connection, ...change } as Connection),
    ),
    'AWSEvents.DescribeConnection': onOne(inputs.named, (connection) => {
      const { AuthParameters, KmsKeyIdentifier: _, ...others } = connection;
      const { ApiKeyName } = AuthParameters.ApiKeyAuthParameters;
      const shown = { AuthParameters: { ApiKeyAuthParameters: { ApiKeyName } } };
      return success({ ...others, ...shown, ...summaryOf(connection) });
    }),
    // One page has all connections, since an embedded stage has few.
    'AWSEvents.ListConnections': operation(inputs.connections, ({ NamePrefix }) =>
      success({ Connections: connections.list(NamePrefix).map(({ Name }) => ({ Name })) }),
    ),
    'AWSEvents.DeleteConnection': onOne(inputs.named, (connection) => {
      connections.remove(connection.Name);
      return success({ ...summaryOf(connection), ConnectionState: 'DELETING' });
    }),
  };
};

/** The operations on API destinations, which hold the partners' addresses. */
export const destinationOperations = ({ connections, destinations }: EndpointRecords): Operations => {
  const onOne = onNamed(destinations);
  const keep = (destination: Destination) => {
    const { Name, ConnectionArn, ApiDestinationArn } = destination;
    if (connections.get(nameInArn(ConnectionArn))?.ConnectionArn !== ConnectionArn)
      return missing(ConnectionArn);
    destinations.put(Name, destination);
    return success({ ApiDestinationArn, ApiDestinationState: 'ACTIVE' });
  };
  return {
    'AWSEvents.CreateApiDestination': operation(destinationInput, (input) =>
      destinations.get(input.Name)
        ? existing(input.Name)
        : keep({
            ...input,
            ApiDestinationArn: arn('events', `api-destination/${input.Name}/${randomUUID()}`),
          }),
    ),
    'AWSEvents.UpdateApiDestination': onOne(inputs.destinationChange, (destination, change) =>
      keep({ ...destination, ...change } as Destination),
    ),
    'AWSEvents.DescribeApiDestination': onOne(inputs.named, (destination) => success(destination)),
    'AWSEvents.DeleteApiDestination': onOne(inputs.named, ({ Name }) => {
      destinations.remove(Name);
      return success();
    }),
  };
};
