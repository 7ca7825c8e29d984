import { differencesIn, endpointParts } from '../../../functions/shared/domain/endpoint-step.ts';
import { foundOf } from '../../../functions/shared/outbound/endpoint/inspect.ts';
import { readEndpoint } from '../../../functions/shared/outbound/endpoint/state.ts';
import {
  type EndpointAccess,
  type EndpointRequest,
  makePart,
  removePart,
} from '../../../functions/shared/outbound/endpoint/steps.ts';

/** Makes a partner's endpoint at a bus that waits for nothing, part by part as `keep-endpoints` does. */
export const makeEndpoint = async (request: EndpointRequest, access: EndpointAccess): Promise<void> => {
  const { partner } = request;
  for (const part of endpointParts) {
    const state = await readEndpoint(access.client, access.settings, partner.clientId);
    const found = foundOf(state, { partner, servedUrl: partner.webhookUrl }, access.settings);
    if (differencesIn(part, found).length > 0) await makePart[part](state, request, access);
  }
};

/** Removes the existing parts of a partner's endpoint. */
export const removeEndpoint = async (clientId: string, access: EndpointAccess): Promise<void> => {
  const state = await readEndpoint(access.client, access.settings, clientId);
  for (const part of endpointParts.toReversed()) await removePart[part](state, clientId, access);
};
