import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { breakingChanges } from './breaking.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** One change of the interface, as partners read it. */
const about = {
  date: z.iso.date(),
  /** An operation of the document, `GET /api/v2/event`, or `webhook TransactionUpdated`. */
  operation: z.string().regex(/^(?:(?:GET|PUT|POST|PATCH|DELETE) \/\S*|webhook \w+)$/),
  sentence: z.string().min(10).endsWith('.'),
};
const change = z.discriminatedUnion('kind', [
  z.strictObject({ ...about, kind: z.enum(['added', 'changed', 'deprecated']) }),
  /** `difference` is the line of `npm run openapi -- --check`. The entry permits exactly this difference. */
  z.strictObject({ ...about, kind: z.literal('breaking'), difference: z.string().min(1) }),
]);

/** `docs/api-changelog.json`, the newest first. */
export const changelogSchema = z.array(change);
type Change = z.infer<typeof change>;

/** What partners read of a release. */
type Release = { date: string; document: oas31.OpenAPIObject };

/** The newest release before this commit, by its tag `v1.2.3`. Undefined before the first release. */
export const lastRelease = (place = docs): Release | undefined => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: place, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const [tag] = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-version:refname').split('\n');
  if (!tag) return undefined;
  const date = git('log', '-1', '--format=%cs', tag).trim();
  return { date, document: JSON.parse(git('show', `${tag}:docs/openapi.json`)) };
};

/** Breaking changes since a release that no later entry declares. None before the first release. */
export const undeclared = (
  release: Release | undefined,
  now: oas31.OpenAPIObject,
  changelog: readonly Change[],
): string[] => {
  if (!release) return [];
  const declared = changelog.flatMap((entry) =>
    entry.kind === 'breaking' && entry.date > release.date ? [`${entry.operation}: ${entry.difference}`] : [],
  );
  return breakingChanges(release.document, now)
    .map(({ operation, what }) => `${operation}: ${what}`)
    .filter((line) => !declared.includes(line));
};

export const readChangelog = (): Change[] =>
  changelogSchema.parse(JSON.parse(readFileSync(join(docs, 'api-changelog.json'), 'utf8')));
