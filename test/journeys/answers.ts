import assert from 'node:assert/strict';
import type { Answer } from './world.ts';

export const json = (answer: Answer): unknown => JSON.parse(answer.text);

/** The value at a path of names and indexes; undefined where the path ends early. */
export const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inside, name) => Object.getOwnPropertyDescriptor(Object(inside), name)?.value, value);

export const list = (value: unknown): unknown[] => {
  assert.ok(Array.isArray(value), `not a list: ${JSON.stringify(value)}`);
  return value;
};

export const text = (value: unknown): string => {
  assert.ok(typeof value === 'string', `not a text: ${JSON.stringify(value)}`);
  return value;
};

/** The challenge of a 401 or 403; API Gateway gives the header another name (R-02, TH-10). */
export const challengeOf = ({ headers }: Answer): string =>
  headers.get('WWW-Authenticate') ?? headers.get('x-amzn-remapped-www-authenticate') ?? '';

/** Every refusal under `/api` and `/v2` has one shape (ERR-1, ERR-5). */
export const assertProblem = (answer: Answer, status: number, name: string): void => {
  const problem = json(answer);
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.headers.get('Content-Type') ?? '', /^application\/problem\+json/);
  assert.equal(at(problem, 'status'), status);
  assert.equal(at(problem, 'name'), name);
  for (const member of ['type', 'title', 'detail', 'instance', 'message']) text(at(problem, member));
  assert.match(answer.headers.get('Request-Id') ?? '', /^\S{8,}$/);
  assert.equal(at(problem, 'requestId'), answer.headers.get('Request-Id'));
};
