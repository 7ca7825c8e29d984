import type { PartnerProfile } from '../shared/domain/partner.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { json } from '../shared/http/response.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';
import { listEvents, showEvent } from './events.ts';
import { describePartner } from './partner-description.ts';
import type { EventReadDeps } from './readable-events.ts';
import type { PartnerRoute } from './route.ts';

export type SelfServiceDeps = EventReadDeps & {
  /** The public base of the stage, which hrefs begin with (LINK-2). */
  baseUrl: string;
};

/** A routed request whose partner is known. */
export type SelfServiceEvent = RoutedEvent<PartnerRoute> & Pick<PartnerProfile, 'partner' | 'secrets'>;

/** What a partner asks about itself. */
export const createHandler =
  (deps: SelfServiceDeps) =>
  async (event: SelfServiceEvent): Promise<HandlerResult> => {
    const { route } = event;
    switch (route.name) {
      case 'partner':
        return json(200, describePartner(event, deps.clock()));
      case 'events':
        return listEvents(event, deps);
      case 'event':
        return showEvent(event, route.id, deps);
      default:
        return route satisfies never;
    }
  };
