import type {
  CreateApiDestinationRequest,
  CreateConnectionRequest,
  PutRuleRequest,
  Target,
} from '@aws-sdk/client-eventbridge';
import type { Partner, WebhookSignature } from '../../domain/partner.ts';

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
/** The header with the next signature (S-27). */
export const nextSignatureHeader = 'X-Webhook-Signature-Next';

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
 * The description of a connection: when its signature values were created. EventBridge never returns the values, so this
 * shows whether they are the record's.
 */
export const signatureNoteOf = ({ createdAtMs, signatureMadeAtMs, nextSignatureMadeAtMs }: Partner) => {
  const note = `Signature of ${new Date(signatureMadeAtMs ?? createdAtMs).toISOString()}`;
  return nextSignatureMadeAtMs === undefined
    ? note
    : `${note}, next of ${new Date(nextSignatureMadeAtMs).toISOString()}`;
};

/** The signature as headers of our own requests. */
export const signatureHeaders = ({ signature, next }: WebhookSignature): Record<string, string> => ({
  [signatureHeader]: signature,
  ...(next !== undefined && { [nextSignatureHeader]: next }),
});

/** The connection of a partner. An empty list of headers is sent, so that an update removes former ones. */
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
