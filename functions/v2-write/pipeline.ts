import { createPartnerPipeline, type PartnerPipelineDeps } from '../shared/middleware/partner-pipeline.ts';
import { createHandler, type WriteDeps } from './handler.ts';
import { methodsOf, routeOf } from './route.ts';

export type PipelineDeps = PartnerPipelineDeps & WriteDeps;

/** The function in its layers: a partner with `nop2/write` writes. */
export const createPipeline = (deps: PipelineDeps) =>
  createPartnerPipeline(deps, { routeOf, methodsOf, oauthScope: 'nop2/write', handler: createHandler(deps) });
