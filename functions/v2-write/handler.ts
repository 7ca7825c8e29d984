import type { AccessTokenClaims } from '../shared/auth/access-token.ts';
import type { Partner } from '../shared/domain/partner.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import type { RoutedEvent } from '../shared/middleware/find-route.ts';
import { createPayment, type PaymentDeps } from './create-payment.ts';
import type { WriteRoute } from './route.ts';
import { type UpdateDeps, update } from './update.ts';

export type WriteDeps = PaymentDeps & UpdateDeps;

/** A routed request with a known partner and token. */
export type WriteEvent = RoutedEvent<WriteRoute> & { partner: Partner; accessToken: AccessTokenClaims };

/** A V2 write: a change of a transaction, or a payment. */
export const createHandler =
  (deps: WriteDeps) =>
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
