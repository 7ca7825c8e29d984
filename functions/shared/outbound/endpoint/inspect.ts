import { isDeepStrictEqual } from 'node:util';
import type { Target } from '@aws-sdk/client-eventbridge';
import type { Partner } from '../../domain/partner.ts';
import {
  destinationOf,
  type EndpointSettings,
  nextSignatureHeader,
  ruleOf,
  signatureHeader,
  signatureNoteOf,
  targetOf,
} from './definition.ts';
import { type EndpointState, type EventBridge, readEndpoint } from './state.ts';

/** What may differ between a partner's endpoint and its record. */
export type DifferenceCode =
  | 'LEFT_OVER'
  | 'CONNECTION_MISSING'
  | 'CONNECTION_DIFFERS'
  | 'CONNECTION_NOT_AUTHORIZED'
  | 'SIGNATURE_DIFFERS'
  | 'DESTINATION_MISSING'
  | 'DESTINATION_DIFFERS'
  | 'RULE_MISSING'
  | 'RULE_DIFFERS'
  | 'RULE_DISABLED'
  | 'TARGET_MISSING'
  | 'TARGET_DIFFERS'
  | 'TARGET_FOREIGN';

/** One thing that is not as the partner's record says; never a secret. */
export type Difference = { code: DifferenceCode; sentence: string };

/**
 * Compares what the bus has for a partner with its record, since the bus silently drops events that match nothing. Answers
 * no difference when all is well.
 */
export const createEndpointInspector =
  (client: EventBridge, settings: EndpointSettings) =>
  async (partner: Partner): Promise<Difference[]> => {
    const state = await readEndpoint(client, settings, partner.clientId);
    const codes = partner.webhookUrl === undefined ? leftOver(state) : codesOf(state, partner, settings);
    return codes.map((code) => ({ code, sentence: sentences[code] }));
  };

const leftOver = ({ connection, destination, rule }: EndpointState): DifferenceCode[] =>
  connection || destination || rule ? ['LEFT_OVER'] : [];

/** The differences of an endpoint that is to be there, as codes. */
export const codesOf = (
  state: EndpointState,
  partner: Partner,
  settings: EndpointSettings,
): DifferenceCode[] => [
  ...connectionCodes(state, partner),
  ...destinationCodes(state, partner, settings),
  ...ruleCodes(state, partner, settings),
  ...targetCodes(state, partner, settings),
];

const connectionCodes = ({ connection }: EndpointState, partner: Partner): DifferenceCode[] => {
  if (!connection) return ['CONNECTION_MISSING'];
  const headers = partner.nextSignatureMadeAtMs === undefined ? [] : [nextSignatureHeader];
  const { ApiKeyAuthParameters, InvocationHttpParameters } = connection.AuthParameters ?? {};
  const isSame =
    connection.AuthorizationType === 'API_KEY' &&
    ApiKeyAuthParameters?.ApiKeyName === signatureHeader &&
    isDeepStrictEqual(
      (InvocationHttpParameters?.HeaderParameters ?? []).map(({ Key }) => Key),
      headers,
    );
  return [
    ...(isSame ? [] : (['CONNECTION_DIFFERS'] as const)),
    ...(connection.Description === signatureNoteOf(partner) ? [] : (['SIGNATURE_DIFFERS'] as const)),
    ...(connection.ConnectionState === 'AUTHORIZED' ? [] : (['CONNECTION_NOT_AUTHORIZED'] as const)),
  ];
};

const destinationCodes = (
  { destination, connection }: EndpointState,
  partner: Partner,
  settings: EndpointSettings,
): DifferenceCode[] => {
  if (!destination) return ['DESTINATION_MISSING'];
  const { Name, ConnectionArn, InvocationEndpoint, HttpMethod } = destination;
  const found = { Name, ConnectionArn, InvocationEndpoint, HttpMethod };
  const wanted = destinationOf(settings, partner, connection?.ConnectionArn);
  return isDeepStrictEqual(found, wanted) ? [] : ['DESTINATION_DIFFERS'];
};

const ruleCodes = (
  { rule }: EndpointState,
  { clientId }: Partner,
  settings: EndpointSettings,
): DifferenceCode[] => {
  if (!rule) return ['RULE_MISSING'];
  const isSame = sameJson(rule.EventPattern, ruleOf(settings, clientId).EventPattern);
  return [
    ...(isSame ? [] : (['RULE_DIFFERS'] as const)),
    ...(rule.State === 'ENABLED' ? [] : (['RULE_DISABLED'] as const)),
  ];
};

/** The bus may give the text back with other spaces. */
const sameJson = (found: string | undefined, wanted: string) => {
  try {
    return JSON.stringify(JSON.parse(found ?? '')) === wanted;
  } catch {
    return false;
  }
};

/** A disabled partner may be without its target, since nothing is sent to it: a recall leaves it so. */
const targetCodes = (
  { rule, targets, destination }: EndpointState,
  { enabled }: Partner,
  settings: EndpointSettings,
): DifferenceCode[] => {
  if (!rule) return [];
  const wanted: Target = targetOf(settings, destination?.ApiDestinationArn);
  const found = targets.find(({ Id }) => Id === wanted.Id);
  return [
    ...(found || !enabled ? [] : (['TARGET_MISSING'] as const)),
    ...(!found || isDeepStrictEqual(factsOf(found), factsOf(wanted)) ? [] : (['TARGET_DIFFERS'] as const)),
    ...(targets.every((one) => one === found) ? [] : (['TARGET_FOREIGN'] as const)),
  ];
};

/** The bus adds empty lists, and gives headers back in any order. */
const factsOf = ({ HttpParameters = {}, RetryPolicy, DeadLetterConfig, ...target }: Target) => ({
  ...{ arn: target.Arn, role: target.RoleArn, path: target.InputPath },
  input: target.Input ?? target.InputTransformer,
  headers: Object.entries(HttpParameters.HeaderParameters ?? {}).sort(),
  query: Object.entries(HttpParameters.QueryStringParameters ?? {}),
  retry: [RetryPolicy?.MaximumEventAgeInSeconds, RetryPolicy?.MaximumRetryAttempts],
  deadLetters: DeadLetterConfig?.Arn,
});

const sentences: Record<DifferenceCode, string> = {
  LEFT_OVER: 'The bus has parts of an endpoint, and the partner has no webhook.',
  CONNECTION_MISSING: 'Its connection is missing: nothing can be sent.',
  CONNECTION_DIFFERS: 'Its connection sends other headers than it should.',
  CONNECTION_NOT_AUTHORIZED: 'Its connection is not authorised: nothing can be sent.',
  SIGNATURE_DIFFERS: 'Its connection has another signature than the record.',
  DESTINATION_MISSING: 'Its API destination is missing: nothing can be sent.',
  DESTINATION_DIFFERS: 'Its API destination has another address, method or connection than it should.',
  RULE_MISSING: 'Its rule is missing: the bus drops its events.',
  RULE_DIFFERS: 'Its rule matches other events than its own.',
  RULE_DISABLED: 'Its rule is disabled: the bus drops its events.',
  TARGET_MISSING: 'Its rule has no target: the bus drops its events.',
  TARGET_DIFFERS: 'Its target is not as it should be.',
  TARGET_FOREIGN: 'Its rule has a target that is not ours: its events go elsewhere, too.',
};
