import { createPartnerPipeline, type PartnerPipelineDeps } from '../shared/middleware/partner-pipeline.ts';
import { createHandler, type SelfServiceDeps } from './handler.ts';
import { methodsOf, oauthScopeOf, routeOf } from './route.ts';

export type PipelineDeps = PartnerPipelineDeps & SelfServiceDeps;

/** The function in its layers: a partner with `nop2/read` looks at itself, and with `nop2/write` has things sent again. */
export const createPipeline = (deps: PipelineDeps) =>
  createPartnerPipeline(deps, {
    routeOf,
    methodsOf,
    oauthScope: oauthScopeOf,
    handler: createHandler(deps),
  });
