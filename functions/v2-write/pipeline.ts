import { createPartnerPipeline, type PartnerPipelineDeps } from '../shared/middleware/partner-pipeline.ts';
import { createHandler, type WriteDeps } from './handler.ts';
import { methodsOf, routeOf } from './route.ts';

export type PipelineDeps = PartnerPipelineDeps & WriteDeps;

/** The layers of the function: `nop2/write` lets a partner write. */
export const createPipeline = (deps: PipelineDeps) =>
  createPartnerPipeline(deps, { routeOf, methodsOf, oauthScope: 'nop2/write', handler: createHandler(deps) });
