import type { PartnerStore } from '../../../bin/operator/store/partners/partner-store.ts';
import type { EndpointCheck, EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import { endpointWishOf, isReached } from '../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type {
  EndpointMessage,
  EndpointRequests,
} from '../../../functions/shared/outbound/endpoint-requests.ts';
import type { WebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';

/** What an endpoint answers, or why it does not. */
export type Answers = Pick<EndpointCheck, 'status' | 'wrongStatus' | 'nextStatus' | 'fault'>;
type Stage = { partners: PartnerStore; webhookSwitch: Pick<WebhookSwitch, 'read'>; now: () => Date };

/**
 * What `keep-endpoints` is for the operator's tool: it takes messages, and writes statuses when it gets to work. There is no
 * bus behind it, so it shows what the tool does with statuses, and nothing of how they come about.
 */
export const standInKeepEndpoints = ({ partners: store, webhookSwitch, now }: Stage) => {
  const statuses = new Map<string, EndpointStatus>();
  const queue: EndpointMessage[] = [];
  const sent: EndpointMessage[] = [];

  const poll = async ({ clientId, check }: EndpointMessage) => {
    const partner = await store.byClientId(clientId);
    if (!partner) return;
    const former = statuses.get(clientId);
    const wish = endpointWishOf(partner, (await webhookSwitch.read()) !== undefined);
    const reason = wish.wanted === 'on' ? faultOf(partner, isReached(former, wish)) : undefined;
    const atMs = now().getTime();
    const checked = check ? { ...check, atMs, ...answersTo(partner) } : former?.checked;
    const { reached, servedUrl, servedSetAtMs } = former ?? {};
    const served = { ...(servedUrl && { servedUrl }), ...(servedSetAtMs && { servedSetAtMs }) };
    statuses.set(clientId, {
      ...(reason === undefined
        ? {
            state: stateOf[wish.wanted],
            reached: wish,
            ...(wish.url !== undefined && { servedUrl: wish.url }),
            ...(wish.setAtMs !== undefined && { servedSetAtMs: wish.setAtMs }),
          }
        : { state: 'failing', reason, ...(reached && { reached }), ...served, tried: { wish, atMs } }),
      sinceMs: atMs,
      ...(checked && { checked }),
    });
  };

  const faultOf = ({ webhookUnchecked }: Partner, wasReached: boolean): string | undefined => {
    if (keeper.busFault !== undefined) return keeper.busFault;
    const { status = 0, fault } = keeper.answers;
    if (webhookUnchecked || wasReached || (status >= 200 && status < 300)) return undefined;
    return fault ?? `HTTP_${status}`;
  };

  const answersTo = ({ nextSignatureMadeAtMs }: Partner): Answers => {
    const { nextStatus: _, ...answers } = keeper.answers;
    return nextSignatureMadeAtMs === undefined ? answers : keeper.answers;
  };

  const keeper = {
    ...{ statuses, sent },
    /** Accepts the right signature, and the next one if there is one, and refuses a wrong one. */
    answers: { status: 204, wrongStatus: 401, nextStatus: 204 } as Answers,
    /** Why the bus makes nothing: a quota of the account that is reached, for example. */
    busFault: undefined as string | undefined,
    /** Nobody works. */
    isDown: false,
    work: async () => {
      if (!keeper.isDown) for (const message of queue.splice(0)) await poll(message);
    },
    /** The store, with the statuses. */
    partners: {
      ...store,
      profileOf: async (clientId) => {
        const profile = await store.profileOf(clientId);
        const endpoint = statuses.get(clientId);
        return profile && { ...profile, ...(endpoint && { endpoint: structuredClone(endpoint) }) };
      },
      allWithStatus: async () =>
        (await store.all()).map((partner) => {
          const endpoint = statuses.get(partner.clientId);
          return { partner, ...(endpoint && { endpoint: structuredClone(endpoint) }) };
        }),
      forgetEndpoint: async (clientId) => void statuses.delete(clientId),
    } satisfies PartnerStore as PartnerStore,
    requests: {
      send: async (messages) => {
        queue.push(...messages);
        sent.push(...messages);
      },
    } satisfies EndpointRequests as EndpointRequests,
  };
  return keeper;
};

const stateOf = { on: 'on', kept: 'paused', none: 'off' } as const;
