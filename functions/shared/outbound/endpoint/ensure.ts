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
import { demandAll, removeTargets } from './remove.ts';
import { type EndpointDeps, type EndpointState, readEndpoint } from './state.ts';

type Wanted = { partner: Partner; signature: WebhookSignature };
type Step = (state: EndpointState, wanted: Wanted, deps: EndpointDeps) => Promise<void>;

/**
 * From what is sent to, to what sends there: a rule gets its target right after it is made, and keeps it while anything
 * before it changes. Each step looks at what is there now.
 */
export const ensureEndpoint = async (wanted: Wanted, deps: EndpointDeps): Promise<void> => {
  for (const step of [ensureConnection, ensureDestination, ensureRule, ensureTarget]) {
    await step(await settled(wanted.partner.clientId, deps), wanted, deps);
  }
  // The signature counts as soon as the bus has taken it in.
  await settled(wanted.partner.clientId, deps);
};

const ensureConnection: Step = async (state, { partner, signature }, { client, place }) => {
  const is = differing(state, partner, place);
  const connection = connectionOf(place, partner, signature);
  if (is('CONNECTION_MISSING')) {
    await withoutValues(client.send(new CreateConnectionCommand(connection)), signature);
  } else if (is('CONNECTION_DIFFERS', 'SIGNATURE_DIFFERS', 'CONNECTION_NOT_AUTHORIZED')) {
    await withoutValues(client.send(new UpdateConnectionCommand(connection)), signature);
  }
};

const ensureDestination: Step = async (state, { partner }, { client, place }) => {
  const is = differing(state, partner, place);
  const destination = destinationOf(place, partner, state.connection?.ConnectionArn);
  if (is('DESTINATION_MISSING')) await client.send(new CreateApiDestinationCommand(destination));
  if (is('DESTINATION_DIFFERS')) await client.send(new UpdateApiDestinationCommand(destination));
};

const ensureRule: Step = async (state, { partner }, { client, place }) => {
  const is = differing(state, partner, place);
  if (is('RULE_MISSING', 'RULE_DIFFERS', 'RULE_DISABLED')) {
    await client.send(new PutRuleCommand(ruleOf(place, partner.clientId)));
  }
};

const ensureTarget: Step = async (state, { partner }, { client, place }) => {
  const is = differing(state, partner, place);
  const { clientId } = partner;
  if (is('TARGET_MISSING', 'TARGET_DIFFERS')) {
    const Targets = [targetOf(place, state.destination?.ApiDestinationArn)];
    const rule = { Rule: endpointName(place, clientId), EventBusName: place.busName };
    demandAll(await client.send(new PutTargetsCommand({ ...rule, Targets })));
  }
  const foreign = state.targets.filter(({ Id }) => Id !== targetId);
  await removeTargets(clientId, foreign, { client, place });
};

const differing = (state: EndpointState, partner: Partner, place: EndpointDeps['place']) => {
  const codes = codesOf(state, partner, place);
  return (...some: DifferenceCode[]) => some.some((code) => codes.includes(code));
};

const lookAgainMs = 1_000;
const mostLooks = 60;
const passing = new Set(['CREATING', 'UPDATING', 'AUTHORIZING', 'DEAUTHORIZING', 'DELETING']);

/** A connection that is being made, changed or removed can be neither used nor changed yet. */
const settled = async (clientId: string, { client, place, wait }: EndpointDeps): Promise<EndpointState> => {
  for (let look = 1; look <= mostLooks; look += 1) {
    const state = await readEndpoint(client, place, clientId);
    if (!passing.has(state.connection?.ConnectionState ?? '')) return state;
    await wait(lookAgainMs);
  }
  throw new Error(`The bus is still busy with ${endpointName(place, clientId)}: try again`);
};

/** A refusal may quote what it refuses, and a signature is in no error (S-22). */
const withoutValues = async (
  sent: Promise<unknown>,
  { signature, next }: WebhookSignature,
): Promise<void> => {
  try {
    await sent;
  } catch (error) {
    const { name, message } = error as Error;
    const told = [signature, next].reduce<string>(
      (text, value) => (value === undefined ? text : text.replaceAll(value, '(signature)')),
      message,
    );
    throw Object.assign(new Error(told), { name });
  }
};
