import middy from '@middy/core';
import type { OAuthScope } from '../domain/partner.ts';
import { createProblemWriter, type HandlerResult } from '../http/problem.ts';
import { type AddressMethods, allowMethods } from './allow-methods.ts';
import {
  type AuthenticateDeps,
  authenticatePartner,
  type PartnerEvent,
  requireOAuthScope,
} from './authenticate-partner.ts';
import { findRoute, type RoutedEvent } from './find-route.ts';
import { type LimitDeps, type LimitedEvent, limitRate } from './limit-rate.ts';
import { type RespondDeps, respond } from './respond.ts';

export type PartnerPipelineDeps = Omit<RespondDeps, 'writeProblem'> &
  AuthenticateDeps &
  LimitDeps & { baseUrl: string };

/** The parts of a V2 function that differ. */
export type PartnerApi<Route> = {
  routeOf: (path: string) => Route | undefined;
  methodsOf: (event: RoutedEvent<Route>) => AddressMethods;
  /** One for all routes, or one for each. */
  oauthScope: OAuthScope | ((event: RoutedEvent<Route>) => OAuthScope);
  handler: (event: RoutedEvent<Route> & LimitedEvent) => Promise<HandlerResult>;
};

/** The layers of a V2 function from the outermost inwards, which is the order of its checks (ERR-3). */
export const createPartnerPipeline = <Route>(
  deps: PartnerPipelineDeps,
  { routeOf, methodsOf, oauthScope, handler }: PartnerApi<Route>,
) =>
  respond(
    { ...deps, writeProblem: createProblemWriter(deps.baseUrl) },
    middy<RoutedEvent<Route> & LimitedEvent, HandlerResult>()
      .use(findRoute(routeOf))
      // A client without PATCH may need it; partners are limited by their tokens.
      .use(allowMethods(methodsOf, { takesOverride: true }))
      .use(authenticatePartner(deps))
      .use(
        requireOAuthScope<RoutedEvent<Route> & PartnerEvent>(
          typeof oauthScope === 'function' ? oauthScope : () => oauthScope,
        ),
      )
      .use(limitRate(deps))
      .handler(handler),
  );
