export type AnswerHeaders = Record<string, string>;

/** An answer with its body as text. */
export type Written = { status: number; headers: AnswerHeaders; body: string };
/** LIST-1; `JSON.stringify` leaves slashes and Unicode as they are. */
export const json = (status: number, value: unknown, headers: AnswerHeaders = {}): Written => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify(value),
});

/** 204: headers only. */
export const noContent = (headers: AnswerHeaders = {}): Written => ({ status: 204, headers, body: '' });
