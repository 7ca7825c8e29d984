import middy, { type MiddlewareObj } from '@middy/core';
import type { SessionTokens } from '../shared/auth/session-token.ts';
import type { Answer } from '../shared/http/answer.ts';
import type { HttpEvent } from '../shared/http/event.ts';
import { notFound } from '../shared/http/problem.ts';
import { allowMethods } from '../shared/middleware/allow-methods.ts';
import { answering } from '../shared/middleware/answering.ts';
import { authenticateSession } from '../shared/middleware/authenticate-session.ts';
import { cors } from '../shared/middleware/cors.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { EstateStore } from '../shared/store/estate-store.ts';
import type { CheckoutEvent } from './get-or-create.ts';
import { createHandler, type Deps } from './handler.ts';

export type FrontDeps = Deps & {
  estate: Pick<EstateStore, 'ofOrigin' | 'stageDefault'>;
  tokens: SessionTokens;
  log: Log;
};

const methods = ['GET', 'HEAD'];

/** The function's layers from the outermost inwards: the order of judgement of ERR-3. */
export const createFront = (deps: FrontDeps) =>
  answering(
    deps,
    middy<CheckoutEvent, Answer>()
      .use(cors({ ...deps, methods }))
      .use(findRoute())
      .use(allowMethods(() => ({ answered: methods })))
      .use(authenticateSession(deps))
      .handler(createHandler(deps)),
  );

/** With and without `/api` (V1-3), with and without a trailing slash (VERB-1). */
const address = /^(?:\/api)?\/transaction\/?$/;

/** V1 reads have one address. A path that is none of ours, such as one with a uuid, is 404 before all else (ERR-3). */
const findRoute = (): MiddlewareObj<HttpEvent, Answer> => ({
  before: ({ event }): Answer | undefined => (address.test(event.path) ? undefined : notFound()),
});
