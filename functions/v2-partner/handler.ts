import type { PartnerProfile } from '../shared/domain/partner.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { json } from '../shared/http/response.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';
import type { LimitDeps, LimitedEvent } from '../shared/middleware/limit-rate.ts';
import { type EventDeps, listEvents } from './events.ts';
import { describePartner } from './partner-description.ts';
import { type PartnerStateDeps, stateOfPartner } from './partner-state.ts';
import { type ReplayDeps, replayEvents } from './replays.ts';
import type { PartnerRoute } from './route.ts';
import { announceSignature, answerWebhook, type WebhookDeps } from './webhook.ts';
import { testWebhook, type WebhookTestDeps } from './webhook-test.ts';

export type SelfServiceDeps = EventDeps &
  ReplayDeps &
  WebhookTestDeps &
  WebhookDeps &
  PartnerStateDeps &
  Pick<LimitDeps, 'partnerRate'>;

/** A routed request of a known partner. */
export type SelfServiceEvent = RoutedEvent<PartnerRoute> &
  LimitedEvent &
  Pick<PartnerProfile, 'secrets' | 'endpoint'>;

/** Answers what a partner asks about itself, and replays its events. */
export const createHandler =
  (deps: SelfServiceDeps) =>
  async (event: SelfServiceEvent): Promise<HandlerResult> => {
    const { route } = event;
    switch (route.name) {
      case 'partner':
        return describe(event, deps);
      case 'events':
        return listEvents(event, deps);
      case 'replay':
        return replayEvents(event, deps);
      case 'webhook':
        return answerWebhook(event, deps);
      case 'webhook-signature':
        return announceSignature(event, deps);
      case 'webhook-test':
        return testWebhook(event, deps);
      default:
        return route.name satisfies never;
    }
  };

const describe = async (event: SelfServiceEvent, deps: SelfServiceDeps): Promise<HandlerResult> => {
  const state = await stateOfPartner(event.partner, deps);
  const { partnerRate } = deps;
  return json(200, describePartner(event, { ...state, partnerRate }, deps.clock()));
};
