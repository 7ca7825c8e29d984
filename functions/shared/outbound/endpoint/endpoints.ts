import type { Partner, WebhookSignature } from '../../domain/partner.ts';
import { ensureEndpoint } from './ensure.ts';
import { createEndpointInspector, type Difference } from './inspect.ts';
import { removeEndpoint, removeTargets } from './remove.ts';
import { type EndpointDeps, readEndpoint } from './state.ts';

/**
 * What one partner has at the bus: connection, API destination, rule, target. Each method may be called again after it died
 * anywhere, and goes on from what is there.
 */
export type PartnerEndpoints = {
  /**
   * Makes what is missing and changes what differs. Nothing may be put on the bus for a new endpoint before it is made. Throws
   * `QuotaReached` where the account may have no more of a part; those before it are made then.
   */
  ensure: (partner: Partner, signature: WebhookSignature) => Promise<void>;
  inspect: (partner: Partner) => Promise<Difference[]>;
  /** Takes the target away, so that the bus gives up what it still tries to deliver. */
  detach: (clientId: string) => Promise<void>;
  remove: (clientId: string) => Promise<void>;
};

/** Partners' endpoints at EventBridge. */
export const createPartnerEndpoints = (deps: EndpointDeps): PartnerEndpoints => ({
  ensure: (partner, signature) => ensureEndpoint({ partner, signature }, deps),
  inspect: createEndpointInspector(deps.client, deps.settings),
  detach: async (clientId) => {
    const { targets } = await readEndpoint(deps.client, deps.settings, clientId);
    await removeTargets(clientId, targets, deps);
  },
  remove: (clientId) => removeEndpoint(clientId, deps),
});
