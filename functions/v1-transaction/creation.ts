import { transactionsPerSession } from '../shared/domain/session.ts';
import { type Problem, problem } from '../shared/http/problem.ts';
import { type HttpEvent, headerValues } from '../shared/http/request.ts';
import { isOfOpenStorefront, type OriginEvent } from '../shared/middleware/cors.ts';

/** 403 if nothing is created for this caller, whoever would own it. Undefined if creation is allowed (S-41, TH-02). */
export const creationRefusal = (event: OriginEvent): Problem | undefined =>
  canReadAnswer(event)
    ? undefined
    : problem('forbidden', {
        detail:
          'A transaction is made for scripts of a registered storefront and for programs, not for links, images and other sites.',
      });

/** 403: a browser sends no POST ahead of its user. */
export const neverAhead = (): Problem =>
  problem('forbidden', { detail: 'A prefetch cannot create a transaction.' });

/** 409: a user keeps the session, so no new one begins (V1-10). */
export const userFull = (): Problem =>
  problem('session-full', {
    detail: `The user has ${transactionsPerSession} open transactions: complete or delete one.`,
  });

/**
 * Whether the caller could use the new transaction: by the Fetch Metadata that browsers send, a script (never a link, a
 * frame or an image), and from another site only one of a registered storefront, which alone may read the answer
 * (V1-7). Programs send no Fetch Metadata. Decision 27 has the reasons.
 */
const canReadAnswer = (event: OriginEvent) =>
  saysOnly(event, 'Sec-Fetch-Mode', ['cors', 'same-origin']) &&
  saysOnly(event, 'Sec-Fetch-Dest', ['empty']) &&
  (isOfOpenStorefront(event) || saysOnly(event, 'Sec-Fetch-Site', ['same-origin', 'same-site', 'none']));

/** An absent header does not count. */
const saysOnly = (event: HttpEvent, name: string, allowed: readonly string[]) =>
  headerValues(event, name).every((value) => allowed.includes(value.trim().toLowerCase()));

/** Whether the request is intended: HEAD and requests that a browser sends ahead of its user are not (V1-4). */
export const isMeant = (event: HttpEvent): boolean => event.httpMethod !== 'HEAD' && !isPrefetch(event);

/** The present header and the one of older browsers, with or without parameters such as `;prerender`. */
const isPrefetch = (event: HttpEvent) =>
  ['Sec-Purpose', 'Purpose', 'X-Moz'].some((name) =>
    headerValues(event, name).some((purpose) => /\bprefetch\b/i.test(purpose)),
  );
