import middy from '@middy/core';
import { createProblemWriter, type HandlerResult } from '../shared/http/problem.ts';
import { allowMethods } from '../shared/middleware/allow-methods.ts';
import {
  identifySession,
  refuseInvalidToken,
  type SessionDeps,
  type SessionEvent,
} from '../shared/middleware/authenticate-session.ts';
import { type CorsDeps, cors } from '../shared/middleware/cors.ts';
import { findRoute } from '../shared/middleware/find-route.ts';
import { type RespondDeps, respond } from '../shared/middleware/respond.ts';
import { type CheckoutDeps, createHandler } from './handler.ts';
import { allMethods, type CheckoutEvent, methodsOf, routeOf } from './route.ts';

export type PipelineDeps = CheckoutDeps &
  Omit<RespondDeps, 'writeProblem'> &
  Pick<SessionDeps, 'tokens' | 'clock'> &
  Omit<CorsDeps, 'methods'>;

/** The function's layers from the outermost inwards, which is the order of its checks (ERR-3). */
export const createPipeline = (deps: PipelineDeps) =>
  respond(
    { ...deps, writeProblem: createProblemWriter(deps.baseUrl) },
    middy<CheckoutEvent, HandlerResult>()
      .use(cors({ ...deps, methods: allMethods }))
      .use(identifySession({ ...deps, endOf: deps.sessions.endOf, isOfSession }))
      .use(findRoute(routeOf))
      .use(allowMethods(methodsOf))
      .use(refuseInvalidToken())
      .handler(createHandler(deps)),
  );

const isOfSession = ({ path }: SessionEvent) => routeOf(path)?.name !== 'session';
