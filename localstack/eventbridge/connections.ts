import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import { type AwsResponse, fault, type Operations, operation, success } from '../aws/json-protocol.ts';
import { account, region } from '../aws/names.ts';
import { type Connection, type EventRecords, nameSchema } from './records.ts';

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,512}$/, 'Not the name of a header.');
const headerValue = z.string().regex(/^[ -~]{0,512}$/, 'Not the value of a header.');

const apiKey = z.strictObject({ ApiKeyName: headerName, ApiKeyValue: headerValue.min(1) });
const description = z.string().max(512).optional();
/** Accepted without effect, since the stage encrypts nothing. */
const key = z.string().max(2048).optional();

const schemas = {
  create: z.strictObject({
    Name: nameSchema,
    Description: description,
    KmsKeyIdentifier: key,
    AuthorizationType: z.literal('API_KEY'),
    AuthParameters: z.strictObject({ ApiKeyAuthParameters: apiKey }),
  }),
  update: z.strictObject({
    Name: nameSchema,
    Description: description,
    KmsKeyIdentifier: key,
    AuthorizationType: z.literal('API_KEY').optional(),
    AuthParameters: z.strictObject({ ApiKeyAuthParameters: apiKey.partial().optional() }).default({}),
  }),
  named: z.strictObject({ Name: nameSchema }),
  list: z.strictObject({ NamePrefix: nameSchema.optional(), Limit: z.int().min(1).max(100).optional() }),
};

/** Operations on connections, which hold the credentials for destinations. No answer contains a secret value. */
export const connectionOperations = (
  { connections }: Pick<EventRecords, 'connections'>,
  now: Clock,
): Operations => {
  const find = (name: string, perform: (connection: Connection) => AwsResponse): AwsResponse => {
    const connection = connections.get(name);
    return connection
      ? perform(connection)
      : fault('ResourceNotFoundException', `Connection '${name}' does not exist.`);
  };
  return {
    CreateConnection: operation(schemas.create, ({ Name, Description, AuthParameters }) => {
      if (connections.get(Name))
        return fault('ResourceAlreadyExistsException', `Connection '${Name}' already exists.`);
      const nowMs = now().getTime();
      const connection: Connection = {
        Name,
        ConnectionArn: `arn:aws:events:${region}:${account}:connection/${Name}/${randomUUID()}`,
        Description,
        apiKey: AuthParameters.ApiKeyAuthParameters,
        createdMs: nowMs,
        modifiedMs: nowMs,
      };
      connections.put(Name, connection);
      return success(summaryOf(connection));
    }),
    UpdateConnection: operation(schemas.update, ({ Name, Description, AuthParameters }) =>
      find(Name, (connection) => {
        const changed = {
          ...connection,
          ...(Description !== undefined && { Description }),
          apiKey: { ...connection.apiKey, ...AuthParameters.ApiKeyAuthParameters } as Connection['apiKey'],
          modifiedMs: now().getTime(),
        };
        connections.put(Name, changed);
        return success(summaryOf(changed));
      }),
    ),
    DescribeConnection: operation(schemas.named, ({ Name }) =>
      find(Name, (connection) => success({ ...summaryOf(connection), ...detailsOf(connection) })),
    ),
    // One page has all connections, since a local stage has few.
    ListConnections: operation(schemas.list, ({ NamePrefix = '' }) =>
      success({
        Connections: connections
          .list(NamePrefix)
          .map((connection) => ({ Name: connection.Name, ...summaryOf(connection) })),
      }),
    ),
    DeleteConnection: operation(schemas.named, ({ Name }) =>
      find(Name, (connection) => {
        connections.remove(Name);
        return success({ ...summaryOf(connection), ConnectionState: 'DELETING' });
      }),
    ),
  };
};

const summaryOf = ({ ConnectionArn, createdMs, modifiedMs }: Connection) => ({
  ConnectionArn,
  ConnectionState: 'AUTHORIZED',
  CreationTime: createdMs / 1000,
  LastModifiedTime: modifiedMs / 1000,
  LastAuthorizedTime: modifiedMs / 1000,
});

const detailsOf = ({ Name, Description, ConnectionArn, apiKey }: Connection) => ({
  Name,
  ...(Description !== undefined && { Description }),
  AuthorizationType: 'API_KEY',
  SecretArn: `arn:aws:secretsmanager:${region}:${account}:secret:events!${ConnectionArn.split(':').at(-1)}`,
  AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: apiKey.ApiKeyName } },
});
