import {
  CreateApiDestinationCommand,
  CreateConnectionCommand,
  PutRuleCommand,
  PutTargetsCommand,
  UpdateApiDestinationCommand,
  UpdateConnectionCommand,
} from '@aws-sdk/client-eventbridge';
import type { Partner, WebhookSignature } from '../../domain/partner.ts';
import { connectionOf, destinationOf, endpointName, ruleOf, targetId, targetOf } from './definition.ts';
import { codesOf, type DifferenceCode } from './inspect.ts';
import { withinQuota } from './quota.ts';
import { demandAll, removeTargets } from './remove.ts';
import { type EndpointDeps, type EndpointState, readEndpoint } from './state.ts';

type WantedEndpoint = { partner: Partner; signature: WebhookSignature };
type EnsureStep = (state: EndpointState, wanted: WantedEndpoint, deps: EndpointDeps) => Promise<void>;

/**
 * Makes or mends a partner's endpoint, from the connection to the target: a rule gets its target right after it is made, and
 * keeps it while anything before it changes. Each step begins when the bus has taken in the one before, the signature first.
 */
export const ensureEndpoint = async (wanted: WantedEndpoint, deps: EndpointDeps): Promise<void> => {
  for (const step of [ensureConnection, ensureDestination, ensureRule, ensureTarget]) {
    await step(await settled(wanted.partner.clientId, deps), wanted, deps);
  }
};

const ensureConnection: EnsureStep = async (state, { partner, signature }, { client, settings }) => {
  const is = differing(state, partner, settings);
  const connection = connectionOf(settings, partner, signature);
  if (is('CONNECTION_MISSING')) {
    const made = withoutValues(client.send(new CreateConnectionCommand(connection)), signature);
    await withinQuota('connections-quota', made);
  } else if (is('CONNECTION_DIFFERS', 'SIGNATURE_DIFFERS', 'CONNECTION_NOT_AUTHORIZED')) {
    await withoutValues(client.send(new UpdateConnectionCommand(connection)), signature);
  }
};

const ensureDestination: EnsureStep = async (state, { partner }, { client, settings }) => {
  const is = differing(state, partner, settings);
  const destination = destinationOf(settings, partner, state.connection?.ConnectionArn);
  if (is('DESTINATION_MISSING'))
    await withinQuota('destinations-quota', client.send(new CreateApiDestinationCommand(destination)));
  if (is('DESTINATION_DIFFERS')) await client.send(new UpdateApiDestinationCommand(destination));
};

const ensureRule: EnsureStep = async (state, { partner }, { client, settings }) => {
  const is = differing(state, partner, settings);
  if (is('RULE_MISSING', 'RULE_DIFFERS', 'RULE_DISABLED')) {
    await withinQuota('rules-quota', client.send(new PutRuleCommand(ruleOf(settings, partner.clientId))));
  }
};

const ensureTarget: EnsureStep = async (state, { partner }, { client, settings }) => {
  const is = differing(state, partner, settings);
  const { clientId } = partner;
  if (is('TARGET_MISSING', 'TARGET_DIFFERS')) {
    const Targets = [targetOf(settings, state.destination?.ApiDestinationArn)];
    const rule = { Rule: endpointName(settings, clientId), EventBusName: settings.busName };
    demandAll(await client.send(new PutTargetsCommand({ ...rule, Targets })));
  }
  const foreign = state.targets.filter(({ Id }) => Id !== targetId);
  await removeTargets(clientId, foreign, { client, settings });
};

const differing = (state: EndpointState, partner: Partner, settings: EndpointDeps['settings']) => {
  const codes = codesOf(state, partner, settings);
  return (...some: DifferenceCode[]) => some.some((code) => codes.includes(code));
};

const lookAgainMs = 1_000;
const mostLooks = 60;
const passing = new Set(['CREATING', 'UPDATING', 'AUTHORIZING', 'DEAUTHORIZING', 'DELETING']);

/** A connection that is being made, changed or removed can be neither used nor changed yet. */
const settled = async (
  clientId: string,
  { client, settings, wait }: EndpointDeps,
): Promise<EndpointState> => {
  for (let look = 1; look <= mostLooks; look += 1) {
    const state = await readEndpoint(client, settings, clientId);
    if (!passing.has(state.connection?.ConnectionState ?? '')) return state;
    await wait(lookAgainMs);
  }
  throw new Error(`The bus is still busy with ${endpointName(settings, clientId)}: try again`);
};

/** Masks the signature in an error: a refusal may quote what it refuses (S-22). */
const withoutValues = async (
  sent: Promise<unknown>,
  { signature, next }: WebhookSignature,
): Promise<void> => {
  try {
    await sent;
  } catch (error) {
    const { name, message } = error as Error;
    const masked = [signature, next].reduce<string>(
      (text, value) => (value === undefined ? text : text.replaceAll(value, '(signature)')),
      message,
    );
    throw Object.assign(new Error(masked), { name });
  }
};
