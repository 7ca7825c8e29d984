import type {
  CreateApiDestinationRequest,
  CreateConnectionRequest,
  PutRuleRequest,
  Target,
} from '@aws-sdk/client-eventbridge';
import type { Partner, WebhookSignature } from '../../domain/partner.ts';

/** What all endpoints of a stage have in common. */
export type EndpointPlace = {
  stage: string;
  busName: string;
  deliveryRoleArn: string;
  deadLetterQueueArn: string;
};

/** And the customer-managed key under which connections are made (S-27); the local stage has none. */
export type KeyedPlace = EndpointPlace & { connectionKeyArn?: string };

/** One name for a partner's connection, API destination and rule. */
export const endpointName = ({ stage }: Pick<EndpointPlace, 'stage'>, clientId: string) =>
  `transactions-${stage}-${clientId}`;

/** Of the one target that a partner’s rule has. */
export const targetId = 'partner';

/** Patterns route, code authorises (events 7): every entry names the one partner that it is for. */
export const ruleOf = (place: EndpointPlace, clientId: string) =>
  ({
    Name: endpointName(place, clientId),
    EventBusName: place.busName,
    EventPattern: JSON.stringify({ detail: { to: [clientId] } }),
    State: 'ENABLED',
  }) satisfies PutRuleRequest;

/**
 * The connection never shows its values again, so its description says when they were made: that tells whether they are the
 * record's.
 */
export const signatureNoteOf = ({ createdAtMs, signatureMadeAtMs, nextSignatureMadeAtMs }: Partner) => {
  const note = `Signature of ${new Date(signatureMadeAtMs ?? createdAtMs).toISOString()}`;
  return nextSignatureMadeAtMs === undefined
    ? note
    : `${note}, next of ${new Date(nextSignatureMadeAtMs).toISOString()}`;
};

/** An empty list of headers is said, so that an update takes the former ones away. */
export const connectionOf = (place: KeyedPlace, partner: Partner, { signature, next }: WebhookSignature) =>
  ({
    Name: endpointName(place, partner.clientId),
    Description: signatureNoteOf(partner),
    ...(place.connectionKeyArn !== undefined && { KmsKeyIdentifier: place.connectionKeyArn }),
    AuthorizationType: 'API_KEY',
    AuthParameters: {
      ApiKeyAuthParameters: { ApiKeyName: signatureHeader, ApiKeyValue: signature },
      InvocationHttpParameters: {
        HeaderParameters:
          next === undefined ? [] : [{ Key: nextSignatureHeader, Value: next, IsValueSecret: true }],
      },
    },
  }) satisfies CreateConnectionRequest;

export const destinationOf = (place: EndpointPlace, partner: Partner, connectionArn: string | undefined) =>
  ({
    Name: endpointName(place, partner.clientId),
    ConnectionArn: connectionArn,
    InvocationEndpoint: partner.webhookUrl,
    HttpMethod: 'POST',
  }) satisfies CreateApiDestinationRequest;

/** The message alone is the body; what is about its delivery becomes headers (events 7). */
export const targetOf = (place: EndpointPlace, destinationArn: string | undefined) =>
  ({
    Id: targetId,
    Arn: destinationArn,
    RoleArn: place.deliveryRoleArn,
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
    DeadLetterConfig: { Arn: place.deadLetterQueueArn },
  }) satisfies Target;

/** The header that tells a receiver who sends (interface 5), and the one that announces its next value (S-27). */
export const signatureHeader = 'X-Webhook-Signature';

export const nextSignatureHeader = 'X-Webhook-Signature-Next';

export const signatureHeaders = ({ signature, next }: WebhookSignature): Record<string, string> => ({
  [signatureHeader]: signature,
  ...(next !== undefined && { [nextSignatureHeader]: next }),
});
