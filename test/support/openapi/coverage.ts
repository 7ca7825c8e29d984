import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository.ts';
import { operations, valueAt } from './operations.ts';
import type { Seen } from './seen.ts';

/** How much of the document the suite has met: a sentence, and the operations that no test has called. */
export type Coverage = { sentence: string; neverCalled: string[] };

/** Undefined where only a part of the suite ran. */
export const coverageOf = (seen: Seen): Coverage | undefined => {
  if (!suite().every((file) => seen.has(`file ${file}`))) return undefined;
  const answers = operations.flatMap(({ id, place }) =>
    Object.keys(valueAt(`${place}/responses`) ?? {}).map((status) => ({ id, status })),
  );
  const unmet = answers.filter(({ id, status }) => !seen.has(`${id} ${status}`));
  const isSuccess = ({ status }: { status: string }) => status.startsWith('2');
  const called = new Set(answers.filter((one) => isSuccess(one) && !unmet.includes(one)).map(({ id }) => id));
  const neverCalled = operations.map(({ id }) => id).filter((id) => !called.has(id));
  return {
    sentence: [
      `docs/openapi.json: the e2e suite met ${operations.length - neverCalled.length} of ${operations.length} operations and`,
      `${answers.length - unmet.length} of ${answers.length} answers`,
    ].join(' '),
    neverCalled,
  };
};

const suite = () => readdirSync(join(root, 'test/e2e')).filter((file) => file.endsWith('.test.ts'));
