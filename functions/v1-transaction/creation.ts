import { transactionsPerSession } from '../shared/domain/session.ts';
import { type Problem, problem } from '../shared/http/problem.ts';
import { type HttpEvent, headerValues } from '../shared/http/request.ts';
import { isOfOpenStorefront, type OriginEvent } from '../shared/middleware/cors.ts';

/** 403 where nothing is made for who asks, whoever would own it; undefined where it may be (S-41, TH-02). */
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

/** 409: a user keeps the session, so that no new one begins (V1-10). */
export const userFull = (): Problem =>
  problem('session-full', {
    detail: `The user has ${transactionsPerSession} open transactions: complete or delete one.`,
  });

/**
 * Whether who asks could use the transaction that would be made: by the Fetch Metadata that browsers send, a script
 * (never a link, a frame or an image), and from another site one of a registered storefront, which alone may read the
 * answer (V1-7). Programs send none of it. docs/decisions/0027 has the reasons.
 */
const canReadAnswer = (event: OriginEvent) =>
  saysOnly(event, 'Sec-Fetch-Mode', ['cors', 'same-origin']) &&
  saysOnly(event, 'Sec-Fetch-Dest', ['empty']) &&
  (isOfOpenStorefront(event) || saysOnly(event, 'Sec-Fetch-Site', ['same-origin', 'same-site', 'none']));

/** A header that is absent says nothing against it. */
const saysOnly = (event: HttpEvent, name: string, allowed: readonly string[]) =>
  headerValues(event, name).every((value) => allowed.includes(value.trim().toLowerCase()));

/** Whether the request means it: HEAD and what a browser fetches ahead of its user do not (V1-4). */
export const isMeant = (event: HttpEvent): boolean => event.httpMethod !== 'HEAD' && !isPrefetch(event);

/** The header of today and what older browsers send; with or without parameters such as `;prerender`. */
const isPrefetch = (event: HttpEvent) =>
  ['Sec-Purpose', 'Purpose', 'X-Moz'].some((name) =>
    headerValues(event, name).some((purpose) => /\bprefetch\b/i.test(purpose)),
  );
