import { createPartnerPipeline, type PartnerPipelineDeps } from '../shared/middleware/partner-pipeline.ts';
import { createHandler, type ReadDeps } from './handler.ts';
import { methodsOf, routeOf } from './route.ts';

export type PipelineDeps = PartnerPipelineDeps & ReadDeps;

/** The layers of the function: `nop2/read` lets a partner read. */
export const createPipeline = (deps: PipelineDeps) =>
  createPartnerPipeline(deps, { routeOf, methodsOf, oauthScope: 'nop2/read', handler: createHandler(deps) });
