import { readFileSync } from 'node:fs';
import { operations, operationsAt } from '../support/openapi/operations.ts';

/** What a HAR file has of an exchange. */
type Entry = { request: { method: string; url: string }; response: { status: number } };

/** How often each operation answered with each status, by its id. */
export const answersIn = (file: string): Map<string, Map<number, number>> => {
  const { log } = JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: Entry[] } };
  const answers = new Map(operations.map(({ id }) => [id, new Map<number, number>()]));
  for (const { request, response } of log.entries) {
    const found = operationsAt(new URL(request.url).pathname).find(({ method }) => method === request.method);
    const counts = found && answers.get(found.id);
    counts?.set(response.status, (counts.get(response.status) ?? 0) + 1);
  }
  return answers;
};

/** The operations that were only ever refused: of these, nothing is known. */
export const onlyRefused = (answers: ReadonlyMap<string, ReadonlyMap<number, number>>): string[] =>
  [...answers].filter(([, counts]) => ![...counts.keys()].some((status) => status < 300)).map(([id]) => id);
