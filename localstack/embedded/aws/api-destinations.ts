import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isLoopbackAddress } from '../../../functions/shared/outbound/probe/public-address.ts';
import type { Records, State } from '../state.ts';
import { arn } from '../wiring.ts';
import { type AwsAnswer, fault, type Operation, type Operations, operation, success } from './protocol.ts';

type Dated = { createdMs: number; modifiedMs: number };

/** A connection with its secrets, which are only sent to the destination. */
export type Connection = Dated & {
  Name: string;
  ConnectionArn: string;
  Description?: string | undefined;
  apiKey: { ApiKeyName: string; ApiKeyValue: string };
};

export type Destination = Dated & {
  Name: string;
  ApiDestinationArn: string;
  ConnectionArn: string;
  InvocationEndpoint: string;
  HttpMethod: 'POST';
  InvocationRateLimitPerSecond: number;
  Description?: string | undefined;
};

/** The ends of the bus, which `keep-endpoints` makes for partners. */
export type EndpointRecords = { connections: Records<Connection>; destinations: Records<Destination> };

export const endpointRecords = ({ records }: State): EndpointRecords => ({
  connections: records('connection'),
  destinations: records('destination'),
});

/** The name in an ARN of EventBridge, which may be followed by an id. */
export const nameInArn = (text: string): string => text.split('/')[1] ?? '';

export const name = z.string().regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'Not a name.');
export const description = z.string().max(512).optional();
export const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,512}$/, 'Not the name of a header.');
export const headerValue = z.string().regex(/^[\t -~]{1,512}$/, 'Not the value of a header.');

/** https, or on this stage http to loopback. The address of a host name is checked when an event is sent. */
const isEndpoint = (text: string): boolean => {
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  const isHere = hostname === 'localhost' || isLoopbackAddress(hostname.replaceAll(/^\[|\]$/g, ''));
  return protocol === 'https:' || (protocol === 'http:' && isHere);
};

const endpoint = z
  .string()
  .max(2048)
  .refine(isEndpoint, 'An endpoint is an https address, or on this stage http to loopback.');
const rate = z.int().min(1).max(300);
const apiKey = z.strictObject({ ApiKeyName: headerName, ApiKeyValue: headerValue });

const inputs = {
  named: z.strictObject({ Name: name }),
  connection: z.strictObject({
    Name: name,
    Description: description,
    // Taken without effect, since the stage encrypts nothing.
    KmsKeyIdentifier: z.string().max(2048).optional(),
    AuthorizationType: z.literal('API_KEY'),
    AuthParameters: z.strictObject({ ApiKeyAuthParameters: apiKey }),
  }),
  connectionChange: z.strictObject({
    Name: name,
    Description: description,
    KmsKeyIdentifier: z.string().max(2048).optional(),
    AuthorizationType: z.literal('API_KEY').optional(),
    AuthParameters: z.strictObject({ ApiKeyAuthParameters: apiKey.partial().optional() }).default({}),
  }),
  connections: z.strictObject({
    NamePrefix: name.optional(),
    Limit: z.int().min(1).max(100).optional(),
  }),
  destination: z.strictObject({
    Name: name,
    Description: description,
    ConnectionArn: z.string(),
    InvocationEndpoint: endpoint,
    HttpMethod: z.literal('POST'),
    InvocationRateLimitPerSecond: rate.default(300),
  }),
  destinationChange: z.strictObject({
    Name: name,
    Description: description,
    ConnectionArn: z.string().optional(),
    InvocationEndpoint: endpoint.optional(),
    HttpMethod: z.literal('POST').optional(),
    InvocationRateLimitPerSecond: rate.optional(),
  }),
};

export const missing = (sentence: string) =>
  fault('ResourceNotFoundException', `${sentence} does not exist.`);
const existing = (sentence: string) => fault('ResourceAlreadyExistsException', `${sentence} already exists.`);

const datesOf = ({ createdMs, modifiedMs }: Dated) => ({
  CreationTime: createdMs / 1000,
  LastModifiedTime: modifiedMs / 1000,
});

/** The given members of a change; others keep their value. */
const given = <Changes extends object>(changes: Changes) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/** An operation on the record that the input names. */
const onNamed =
  <Value>(records: Records<Value>, kind: string) =>
  <Schema extends z.ZodType<{ Name: string }>>(
    schema: Schema,
    perform: (found: Value, input: z.output<Schema>) => AwsAnswer,
  ): Operation =>
    operation(schema, (input) => {
      const found = records.get(input.Name);
      return found ? perform(found, input) : missing(`${kind} '${input.Name}'`);
    });

/** The operations on connections and API destinations that functions and the operator's tool use. */
export const endpointOperations = (records: EndpointRecords): Operations => ({
  ...connectionOperations(records),
  ...destinationOperations(records),
});

/** Connections hold the credentials for destinations. No answer contains a secret value. */
const connectionOperations = ({ connections }: EndpointRecords): Operations => {
  const onOne = onNamed(connections, 'Connection');
  const summaryOf = (connection: Connection) => ({
    ConnectionArn: connection.ConnectionArn,
    ConnectionState: 'AUTHORIZED',
    ...datesOf(connection),
    LastAuthorizedTime: connection.modifiedMs / 1000,
  });
  return {
    'AWSEvents.CreateConnection': operation(inputs.connection, ({ Name, Description, AuthParameters }) => {
      if (connections.get(Name)) return existing(`Connection '${Name}'`);
      const connection: Connection = {
        Name,
        ConnectionArn: arn('events', `connection/${Name}/${randomUUID()}`),
        Description,
        apiKey: AuthParameters.ApiKeyAuthParameters,
        createdMs: Date.now(),
        modifiedMs: Date.now(),
      };
      connections.put(Name, connection);
      return success(summaryOf(connection));
    }),
    'AWSEvents.UpdateConnection': onOne(inputs.connectionChange, (connection, change) => {
      const { ApiKeyAuthParameters = {} } = change.AuthParameters;
      const changed: Connection = {
        ...connection,
        ...(change.Description !== undefined && { Description: change.Description }),
        apiKey: { ...connection.apiKey, ...given(ApiKeyAuthParameters) },
        modifiedMs: Date.now(),
      };
      connections.put(connection.Name, changed);
      return success(summaryOf(changed));
    }),
    'AWSEvents.DescribeConnection': onOne(inputs.named, (connection) => {
      const { Name, Description, ConnectionArn, apiKey: key } = connection;
      return success({
        ...summaryOf(connection),
        Name,
        ...(Description !== undefined && { Description }),
        AuthorizationType: 'API_KEY',
        SecretArn: arn('secretsmanager', `secret:events!${ConnectionArn.split(':').at(-1)}`),
        AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: key.ApiKeyName } },
      });
    }),
    // One page has all connections, since an embedded stage has few.
    'AWSEvents.ListConnections': operation(inputs.connections, ({ NamePrefix = '' }) =>
      success({
        Connections: connections.list(NamePrefix).map((one) => ({ Name: one.Name, ...summaryOf(one) })),
      }),
    ),
    'AWSEvents.DeleteConnection': onOne(inputs.named, (connection) => {
      connections.remove(connection.Name);
      return success({ ...summaryOf(connection), ConnectionState: 'DELETING' });
    }),
  };
};

/** API destinations hold the partners' addresses. One without its connection is inactive. */
const destinationOperations = ({ connections, destinations }: EndpointRecords): Operations => {
  const isConnected = (connectionArn: string) =>
    connections.get(nameInArn(connectionArn))?.ConnectionArn === connectionArn;
  const onOne = onNamed(destinations, 'An api-destination');
  const summaryOf = (destination: Destination) => ({
    ApiDestinationArn: destination.ApiDestinationArn,
    ApiDestinationState: isConnected(destination.ConnectionArn) ? 'ACTIVE' : 'INACTIVE',
    ...datesOf(destination),
  });
  return {
    'AWSEvents.CreateApiDestination': operation(inputs.destination, (input) => {
      if (destinations.get(input.Name)) return existing(`An api-destination '${input.Name}'`);
      if (!isConnected(input.ConnectionArn)) return missing(`Connection '${input.ConnectionArn}'`);
      const destination: Destination = {
        ...input,
        ApiDestinationArn: arn('events', `api-destination/${input.Name}/${randomUUID()}`),
        createdMs: Date.now(),
        modifiedMs: Date.now(),
      };
      destinations.put(input.Name, destination);
      return success(summaryOf(destination));
    }),
    'AWSEvents.UpdateApiDestination': onOne(inputs.destinationChange, (destination, input) => {
      const changed: Destination = { ...destination, ...given(input), modifiedMs: Date.now() };
      if (!isConnected(changed.ConnectionArn)) return missing(`Connection '${changed.ConnectionArn}'`);
      destinations.put(input.Name, changed);
      return success(summaryOf(changed));
    }),
    'AWSEvents.DescribeApiDestination': onOne(inputs.named, (destination) => {
      const { createdMs: _, modifiedMs: __, ...details } = destination;
      return success({ ...summaryOf(destination), ...details });
    }),
    'AWSEvents.DeleteApiDestination': onOne(inputs.named, ({ Name }) => {
      destinations.remove(Name);
      return success();
    }),
  };
};
