import { judge } from './exchange.ts';

/**
 * `fetch` for tests that call a stage. Compares requests and answers with the OpenAPI document, and fails the test with
 * the operation and the path of a difference (OA-3).
 */
export const describedFetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(url, init);
  const request = new Request(url, init);
  const { pathname, search } = new URL(url);
  const sent = { contentType: request.headers.get('content-type') ?? '', text: await request.text() };
  const { findings } = judge({
    ...{ method: request.method, target: `${pathname}${search}`, sent },
    answer: { status: response.status, headers: response.headers, text: await response.clone().text() },
  });
  if (findings.length > 0) throw new Error(`Not as docs/openapi.json says:\n${findings.join('\n')}`);
  return response;
};
