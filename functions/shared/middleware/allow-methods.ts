import type { MiddlewareObj } from '@middy/core';
import { type Answer, noContent } from '../http/answer.ts';
import type { HttpEvent } from '../http/event.ts';
import { problem } from '../http/problem.ts';

/** Lets the named methods pass; OPTIONS is 204 without a token, any other 405, both with `Allow` (VERB-1, ERR-3). */
export const allowMethods = (methods: readonly string[]): MiddlewareObj<HttpEvent, Answer> => {
  const headers = { Allow: [...methods, 'OPTIONS'].join(', ') };
  return {
    before: ({ event: { httpMethod } }): Answer | undefined => {
      if (httpMethod === 'OPTIONS') return noContent(headers);
      return methods.includes(httpMethod) ? undefined : problem('method-not-allowed', { headers });
    },
  };
};
