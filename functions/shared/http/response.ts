/** The headers of a response, each with one value. */
export type ResponseHeaders = Record<string, string>;

/** A response with its body as text. */
export type HttpResponse = { status: number; headers: ResponseHeaders; body: string };

/** A JSON response. `JSON.stringify` does not escape slashes and Unicode (LIST-1). */
export const json = (status: number, value: unknown, headers: ResponseHeaders = {}): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify(value),
});

/** 204: headers only. */
export const noContent = (headers: ResponseHeaders = {}): HttpResponse => ({
  status: 204,
  headers,
  body: '',
});
