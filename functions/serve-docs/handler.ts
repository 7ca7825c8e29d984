import { weakTag } from '../shared/http/entity-tag.ts';
import { type HandlerResult, notFound, problem } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { type HttpResponse, noContent, type ResponseHeaders } from '../shared/http/response.ts';
import { ofStage, type Site, type SiteDocument } from './document.ts';

export type DocsDeps = { site: Site; baseUrl: string; authUrl: string };

/** Public documents: path, then method are checked (ERR-3); no caller is asked who it is. */
export const createHandler = ({ site, ...addresses }: DocsDeps) => {
  const answers = new Map<string, HttpResponse>();
  const answerOf = (path: string): HttpResponse | undefined => {
    const document = site[path];
    if (document && !answers.has(path)) answers.set(path, answerWith(document, addresses));
    return answers.get(path);
  };

  return async ({ path, httpMethod }: HttpEvent): Promise<HandlerResult> => {
    const answer = answerOf(path.replace(/\/$/, ''));
    if (!answer) return notFound();
    if (httpMethod === 'OPTIONS') return noContent({ ...allow, ...preflight });
    return methods.includes(httpMethod) ? answer : problem('method-not-allowed', { headers: allow });
  };
};

const methods = ['GET', 'HEAD'];
const allow = { Allow: [...methods, 'OPTIONS'].join(', ') };

const answerWith = (
  { type, text, isHashed }: SiteDocument,
  addresses: Omit<DocsDeps, 'site'>,
): HttpResponse => {
  const body = ofStage(text, addresses);
  return {
    status: 200,
    headers: {
      ...publicHeaders,
      'Content-Type': type,
      'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      ETag: weakTag(body),
    },
    body,
  };
};

/** There is no secret in these documents, and tools that run in browsers read them (DOC-2). */
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

/** No page has a script, a form or anything of another host, so that nothing in it could do harm (DOC-3). */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
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
