import type {
  CreateApiDestinationRequest,
  CreateConnectionRequest,
  PutRuleRequest,
  Target,
} from '@aws-sdk/client-eventbridge';
import type { Partner } from '../../domain/partner.ts';

/** Settings that all endpoints of a stage share. */
export type EndpointSettings = {
  stage: string;
  busName: string;
  deliveryRoleArn: string;
  deadLetterQueueArn: string;
  /** LocalStack stores the description of a connection and never returns it. */
  hidesDescriptions?: boolean;
};

/** Also the customer-managed key of connections (S-27); absent on the local stage. */
export type KeyedEndpointSettings = EndpointSettings & { connectionKeyArn?: string };

/** The header with the webhook signature (interface 5). */
export const signatureHeader = 'X-Webhook-Signature';

/** The name of a partner's connection, API destination and rule. */
export const endpointName = ({ stage }: Pick<EndpointSettings, 'stage'>, clientId: string) =>
  `transactions-${stage}-${clientId}`;

/** The ID of the only target of a partner's rule. */
export const targetId = 'partner';

/** A partner's rule. The pattern only routes: each entry names the one partner that it is for. */
export const ruleOf = (settings: EndpointSettings, clientId: string) =>
  ({
    Name: endpointName(settings, clientId),
    EventBusName: settings.busName,
    EventPattern: JSON.stringify({ detail: { to: [clientId] } }),
    State: 'ENABLED',
  }) satisfies PutRuleRequest;

/**
 * Headers that EventBridge adds to every request to an API destination ("Headers included in requests to API
 * destinations"). The range concerns the answer; an endpoint has to ignore it, because a POST has none.
 */
export const apiDestinationHeaders = {
  'User-Agent': 'Amazon/EventBridge/ApiDestinations',
  Range: 'bytes=0-1048575',
  'Accept-Encoding': 'gzip,deflate',
  Connection: 'close',
};

/**
 * The description of a connection: when its signature was created. EventBridge never returns the value, so this shows
 * whether it is the record's.
 */
export const signatureNoteOf = ({ createdAtMs, signatureMadeAtMs }: Partner) =>
  `Signature of ${new Date(signatureMadeAtMs ?? createdAtMs).toISOString()}`;

/** The connection of a partner. Messages carry the present signature and no other. */
export const connectionOf = (settings: KeyedEndpointSettings, partner: Partner, signature: string) =>
  ({
    Name: endpointName(settings, partner.clientId),
    Description: signatureNoteOf(partner),
    ...(settings.connectionKeyArn !== undefined && { KmsKeyIdentifier: settings.connectionKeyArn }),
    AuthorizationType: 'API_KEY',
    AuthParameters: {
      ApiKeyAuthParameters: { ApiKeyName: signatureHeader, ApiKeyValue: signature },
    },
  }) satisfies CreateConnectionRequest;

/** The API destination of a partner. */
export const destinationOf = (
  settings: EndpointSettings,
  partner: Partner,
  connectionArn: string | undefined,
) =>
  ({
    Name: endpointName(settings, partner.clientId),
    ConnectionArn: connectionArn,
    InvocationEndpoint: partner.webhookUrl,
    HttpMethod: 'POST',
  }) satisfies CreateApiDestinationRequest;

/** The target of a partner's rule: the message is the body, and facts of the delivery are headers. */
export const targetOf = (settings: EndpointSettings, destinationArn: string | undefined) =>
  ({
    Id: targetId,
    Arn: destinationArn,
    RoleArn: settings.deliveryRoleArn,
    InputPath: '$.detail.message',
    HttpParameters: {
      HeaderParameters: {
        'Idempotency-Key': '$.detail.delivery.id',
        'X-Transaction-From-Version': '$.detail.delivery.from',
        'X-Transaction-Version': '$.detail.delivery.to',
        'X-Transaction-Omitted': '$.detail.delivery.omitted',
      },
    },
    // The longest retry policy of EventBridge.
    RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
    DeadLetterConfig: { Arn: settings.deadLetterQueueArn },
  }) satisfies Target;
