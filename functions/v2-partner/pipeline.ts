import { createPartnerPipeline, type PartnerPipelineDeps } from '../shared/middleware/partner-pipeline.ts';
import { createHandler, type SelfServiceDeps } from './handler.ts';
import { methodsOf, oauthScopeOf, routeOf } from './route.ts';

export type PipelineDeps = PartnerPipelineDeps & SelfServiceDeps;

/** The layers of the function: `nop2/read` lets a partner read about itself, and `nop2/write` lets it replay events. */
export const createPipeline = (deps: PipelineDeps) =>
  createPartnerPipeline(deps, {
    routeOf,
    methodsOf,
    oauthScope: oauthScopeOf,
    handler: createHandler(deps),
  });
