import { weakTag } from '../shared/http/entity-tag.ts';
import { type HandlerResult, notFound, problem } from '../shared/http/problem.ts';
import { type HttpEvent, headerValues } from '../shared/http/request.ts';
import { type HttpResponse, noContent, type ResponseHeaders } from '../shared/http/response.ts';
import { fileOf, isHashed, ofStage, typeOf } from './document.ts';

export type DocsDeps = {
  /** The text of a file of the site, by its path. Undefined if there is none. */
  read: (file: string) => Promise<string | undefined>;
  baseUrl: string;
  authUrl: string;
};

/** Serves public documents: checks path, then method (ERR-3). Needs no authentication. */
export const createHandler = ({ read, ...addresses }: DocsDeps) => {
  const answers = new Map<string, HttpResponse>();
  const answerOf = async (file: string | undefined): Promise<HttpResponse | undefined> => {
    if (file === undefined || answers.has(file)) return answers.get(file ?? '');
    const text = await read(file);
    if (text !== undefined) answers.set(file, answerWith(file, ofStage(text, addresses)));
    return answers.get(file);
  };

  return async (event: HttpEvent): Promise<HandlerResult> => {
    const { path, httpMethod } = event;
    const answer = await answerOf(fileOf(path.replace(/\/$/, '')));
    if (!answer) return isForPerson(event) ? notFoundPage(await answerOf(notFoundFile)) : notFound();
    if (httpMethod === 'OPTIONS') return noContent({ ...allow, ...preflight });
    return methods.includes(httpMethod) ? answer : problem('method-not-allowed', { headers: allow });
  };
};

const methods = ['GET', 'HEAD'];
const allow = { Allow: [...methods, 'OPTIONS'].join(', ') };

/** The function has no address of its own: the gateway sends it paths under `/docs` and a few names. */
const notFoundFile = '/404.html';

/** Browsers ask for HTML by name. Other programs get a problem. */
const isForPerson = (event: HttpEvent): boolean =>
  event.path.startsWith('/docs/') &&
  headerValues(event, 'Accept').some((value) => value.includes('text/html'));

const notFoundPage = (page: HttpResponse | undefined): HandlerResult => {
  if (!page) return notFound();
  const { ETag: _, ...headers } = page.headers;
  return {
    ...page,
    status: 404,
    headers: { ...headers, 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Encoding' },
  };
};

const answerWith = (file: string, body: string): HttpResponse => ({
  status: 200,
  headers: {
    ...publicHeaders,
    'Content-Type': typeOf(file),
    'Cache-Control': isHashed(file) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    ETag: weakTag(body),
  },
  body,
});

/** The documents contain no secret, and tools that run in browsers read them (DOC-2). */
const readableByScripts: ResponseHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Request-Id',
};

const preflight: ResponseHeaders = {
  ...readableByScripts,
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': 'If-None-Match',
  'Access-Control-Max-Age': '600',
};

/** A page may use only files of the site: no inline script or style, no form, nothing from another host (DOC-3). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const publicHeaders: ResponseHeaders = {
  ...readableByScripts,
  Vary: 'Accept-Encoding',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
