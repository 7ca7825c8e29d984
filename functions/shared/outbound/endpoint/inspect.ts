import { isDeepStrictEqual } from 'node:util';
import type { Target } from '@aws-sdk/client-eventbridge';
import { type EndpointDifference, type EndpointFound, endpointParts } from '../../domain/endpoint-step.ts';
import type { Partner } from '../../domain/partner.ts';
import {
  destinationOf,
  type EndpointSettings,
  ruleOf,
  signatureHeader,
  signatureNoteOf,
  targetOf,
} from './definition.ts';
import type { EndpointState } from './state.ts';

/** Compares the resources of an endpoint with those that this address needs. */
export const foundOf = (
  state: EndpointState,
  { partner, servedUrl }: { partner: Partner | undefined; servedUrl: string | undefined },
  settings: EndpointSettings,
): EndpointFound => {
  const { connection, destination, rule, targets } = state;
  const connectionState = connection?.ConnectionState ?? '';
  const isThere = {
    connection: connection !== undefined && connectionState !== 'DELETING',
    destination: destination !== undefined,
    rule: rule !== undefined,
    target: targets.length > 0,
  };
  const served = partner && servedUrl !== undefined && { ...partner, webhookUrl: servedUrl };
  return {
    parts: endpointParts.filter((part) => isThere[part]),
    differences: served ? codesOf(state, served, settings) : [],
    isBusy: passingStates.has(connectionState),
  };
};

/** A connection in these states can be neither used nor changed. */
const passingStates = new Set(['CREATING', 'UPDATING', 'AUTHORIZING', 'DEAUTHORIZING', 'DELETING']);

/** The differences as codes. */
const codesOf = (
  state: EndpointState,
  partner: Partner,
  settings: EndpointSettings,
): EndpointDifference[] => [
  ...connectionCodes(state, partner, settings),
  ...destinationCodes(state, partner, settings),
  ...ruleCodes(state, partner, settings),
  ...targetCodes(state, settings),
];

const connectionCodes = (
  { connection }: EndpointState,
  partner: Partner,
  { hidesDescriptions }: EndpointSettings,
): EndpointDifference[] => {
  if (!connection) return ['CONNECTION_MISSING'];
  const isSame =
    connection.AuthorizationType === 'API_KEY' &&
    connection.AuthParameters?.ApiKeyAuthParameters?.ApiKeyName === signatureHeader;
  const { Description: note } = connection;
  const hasNote = note === signatureNoteOf(partner) || (hidesDescriptions === true && note === undefined);
  return [
    ...(isSame ? [] : (['CONNECTION_DIFFERS'] as const)),
    ...(hasNote ? [] : (['SIGNATURE_DIFFERS'] as const)),
    ...(connection.ConnectionState === 'AUTHORIZED' ? [] : (['CONNECTION_NOT_AUTHORIZED'] as const)),
  ];
};

const destinationCodes = (
  { destination, connection }: EndpointState,
  partner: Partner,
  settings: EndpointSettings,
): EndpointDifference[] => {
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
): EndpointDifference[] => {
  if (!rule) return ['RULE_MISSING'];
  const isSame = sameJson(rule.EventPattern, ruleOf(settings, clientId).EventPattern);
  return [
    ...(isSame ? [] : (['RULE_DIFFERS'] as const)),
    ...(rule.State === 'ENABLED' ? [] : (['RULE_DISABLED'] as const)),
  ];
};

/** EventBridge may return the text with other spaces. */
const sameJson = (found: string | undefined, wanted: string) => {
  try {
    return JSON.stringify(JSON.parse(found ?? '')) === wanted;
  } catch {
    return false;
  }
};

const targetCodes = (
  { rule, targets, destination }: EndpointState,
  settings: EndpointSettings,
): EndpointDifference[] => {
  if (!rule) return [];
  const wanted: Target = targetOf(settings, destination?.ApiDestinationArn);
  const found = targets.find(({ Id }) => Id === wanted.Id);
  return [
    ...(found ? [] : (['TARGET_MISSING'] as const)),
    ...(!found || isDeepStrictEqual(factsOf(found), factsOf(wanted)) ? [] : (['TARGET_DIFFERS'] as const)),
    ...(targets.every((one) => one === found) ? [] : (['TARGET_FOREIGN'] as const)),
  ];
};

/** EventBridge adds empty lists, and returns headers in any order. */
const factsOf = ({ HttpParameters = {}, RetryPolicy, DeadLetterConfig, ...target }: Target) => ({
  ...{ arn: target.Arn, role: target.RoleArn, path: target.InputPath },
  input: target.Input ?? target.InputTransformer,
  headers: Object.entries(HttpParameters.HeaderParameters ?? {}).sort(),
  query: Object.entries(HttpParameters.QueryStringParameters ?? {}),
  retry: [RetryPolicy?.MaximumEventAgeInSeconds, RetryPolicy?.MaximumRetryAttempts],
  deadLetters: DeadLetterConfig?.Arn,
});
