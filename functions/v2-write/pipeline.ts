import middy from '@middy/core';
import type { VerifyAccessToken } from '../shared/auth/access-token.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { allowMethods } from '../shared/middleware/allow-methods.ts';
import {
  authenticatePartner,
  type PartnerEvent,
  requireOAuthScope,
} from '../shared/middleware/authenticate-partner.ts';
import { respond } from '../shared/middleware/respond.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { PartnerStore } from '../shared/store/partners/partner-store.ts';
import { createHandler, type Deps } from './handler.ts';
import { findRoute, methodsOf, type RoutedEvent } from './route.ts';

export type PipelineDeps = Deps & {
  partners: Pick<PartnerStore, 'byClientId'>;
  verify: VerifyAccessToken;
  log: Log;
};

/** The function's layers from the outermost inwards: the order of judgement of ERR-3. */
export const createPipeline = (deps: PipelineDeps) =>
  respond(
    deps,
    middy<RoutedEvent & PartnerEvent, HandlerResult>()
      .use(findRoute())
      .use(allowMethods(methodsOf))
      .use(authenticatePartner(deps))
      .use(requireOAuthScope('nop2/write'))
      .handler(createHandler(deps)),
  );
