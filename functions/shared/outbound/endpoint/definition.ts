import type {
  CreateApiDestinationRequest,
  CreateConnectionRequest,
  PutRuleRequest,
  Target,
} from '@aws-sdk/client-eventbridge';
import type { Partner, WebhookSignature } from '../../domain/partner.ts';

/** What all endpoints of a stage have in common. */
export type EndpointSettings = {
  stage: string;
  busName: string;
  deliveryRoleArn: string;
  deadLetterQueueArn: string;
  /** LocalStack keeps a connection's description and never shows it. */
  hidesDescriptions?: boolean;
};

/** And the customer-managed key under which connections are made (S-27); the local stage has none. */
export type KeyedEndpointSettings = EndpointSettings & { connectionKeyArn?: string };

/** The header by which a receiver knows the sender (interface 5). */
export const signatureHeader = 'X-Webhook-Signature';
/** The header that announces its next value (S-27). */
export const nextSignatureHeader = 'X-Webhook-Signature-Next';

/** One name for a partner's connection, API destination and rule. */
export const endpointName = ({ stage }: Pick<EndpointSettings, 'stage'>, clientId: string) =>
  `transactions-${stage}-${clientId}`;

/** The id of the one target that a partner's rule has. */
export const targetId = 'partner';

/** The rule of a partner. Patterns route, code authorises: every entry names the one partner that it is for. */
export const ruleOf = (settings: EndpointSettings, clientId: string) =>
  ({
    Name: endpointName(settings, clientId),
    EventBusName: settings.busName,
    EventPattern: JSON.stringify({ detail: { to: [clientId] } }),
    State: 'ENABLED',
  }) satisfies PutRuleRequest;

/**
 * What a connection says of its signature. It never shows its values again, so its description says when they were made:
 * that shows whether they are the record's.
 */
export const signatureNoteOf = ({ createdAtMs, signatureMadeAtMs, nextSignatureMadeAtMs }: Partner) => {
  const note = `Signature of ${new Date(signatureMadeAtMs ?? createdAtMs).toISOString()}`;
  return nextSignatureMadeAtMs === undefined
    ? note
    : `${note}, next of ${new Date(nextSignatureMadeAtMs).toISOString()}`;
};

/** The signature as headers of a request that we send ourselves. */
export const signatureHeaders = ({ signature, next }: WebhookSignature): Record<string, string> => ({
  [signatureHeader]: signature,
  ...(next !== undefined && { [nextSignatureHeader]: next }),
});

/** The connection of a partner. An empty list of headers is sent, so that an update takes the former ones away. */
export const connectionOf = (
  settings: KeyedEndpointSettings,
  partner: Partner,
  { signature, next }: WebhookSignature,
) =>
  ({
    Name: endpointName(settings, partner.clientId),
    Description: signatureNoteOf(partner),
    ...(settings.connectionKeyArn !== undefined && { KmsKeyIdentifier: settings.connectionKeyArn }),
    AuthorizationType: 'API_KEY',
    AuthParameters: {
      ApiKeyAuthParameters: { ApiKeyName: signatureHeader, ApiKeyValue: signature },
      InvocationHttpParameters: {
        HeaderParameters:
          next === undefined ? [] : [{ Key: nextSignatureHeader, Value: next, IsValueSecret: true }],
      },
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

/** The target of a partner's rule: the message alone is the body, facts of its delivery become headers. */
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
    // 24 h and 185 retries are the most that EventBridge knows.
    RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
    DeadLetterConfig: { Arn: settings.deadLetterQueueArn },
  }) satisfies Target;
