import middy from '@middy/core';
import type { SessionTokens } from '../shared/auth/session-token.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { allowMethods } from '../shared/middleware/allow-methods.ts';
import { authenticateSession } from '../shared/middleware/authenticate-session.ts';
import { cors } from '../shared/middleware/cors.ts';
import { respond } from '../shared/middleware/respond.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { EstateStore } from '../shared/store/storefronts/storefront-store.ts';
import { createHandler, type Deps } from './handler.ts';
import type { CheckoutEvent } from './route.ts';
import { allMethods, findRoute, methodsOf } from './route.ts';

export type PipelineDeps = Deps & {
  estate: Pick<EstateStore, 'ofOrigin' | 'stageDefault'>;
  tokens: SessionTokens;
  log: Log;
};

/** The function's layers from the outermost inwards: the order of judgement of ERR-3. */
export const createPipeline = (deps: PipelineDeps) =>
  respond(
    deps,
    middy<CheckoutEvent, HandlerResult>()
      .use(cors({ ...deps, methods: allMethods }))
      .use(findRoute())
      .use(allowMethods(methodsOf))
      .use(authenticateSession(deps))
      .handler(createHandler(deps)),
  );
