import type { AccessTokenClaims } from '../shared/auth/access-token.ts';
import type { Partner } from '../shared/domain/partner.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { createPayment, type PaymentDeps } from './create-payment.ts';
import type { RoutedEvent } from './route.ts';
import { type UpdateDeps, update } from './update.ts';

export type Deps = PaymentDeps & UpdateDeps;

/** A routed request whose partner and token are known. */
export type WriteEvent = RoutedEvent & { partner: Partner; accessToken: AccessTokenClaims };

/** The story of a V2 write: a transaction changed, or a payment made. */
export const createHandler =
  (deps: Deps) =>
  async (event: WriteEvent): Promise<HandlerResult> => {
    const { route } = event;
    switch (route.name) {
      case 'transaction':
        return update(event, route.uuid, deps);
      case 'payment':
        return createPayment(event, deps);
      default:
        return route satisfies never;
    }
  };
