import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { breakingChanges } from './breaking.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** One change of the interface, as partners are told of it. */
const change = z.strictObject({
  date: z.iso.date(),
  kind: z.enum(['added', 'changed', 'deprecated', 'breaking']),
  /** An operation of the document, `GET /api/v2/event`, or `webhook TransactionUpdated`. */
  operation: z.string().regex(/^(?:(?:GET|PUT|POST|PATCH|DELETE) \/\S*|webhook \w+)$/),
  sentence: z.string().min(10).endsWith('.'),
});

/** `docs/api-changelog.json`, the newest first. */
export const changelogSchema = z.array(change);
type Change = z.infer<typeof change>;

type Release = { date: string; document: oas31.OpenAPIObject };

/** The document that was released last: a file for each release, named by its day. */
export const lastRelease = (): Release => {
  const file = readdirSync(join(docs, 'releases')).sort().at(-1) ?? '';
  const [, date] = /^openapi-(\d{4}-\d{2}-\d{2})\.json$/.exec(file) ?? [];
  if (date === undefined)
    throw new Error('docs/releases has no document: npm run openapi -- --release <date>');
  return { date, document: JSON.parse(readFileSync(join(docs, 'releases', file), 'utf8')) };
};

/** Breaking changes since a release that no entry since then declares for their operation. */
export const undeclared = (
  release: Release,
  now: oas31.OpenAPIObject,
  changelog: readonly Change[],
): string[] => {
  const declared = changelog
    .filter(({ date, kind }) => kind === 'breaking' && date >= release.date)
    .map(({ operation }) => operation);
  return breakingChanges(release.document, now)
    .filter(({ operation }) => !declared.includes(operation))
    .map(({ operation, what }) => `${operation}: ${what}`);
};

export const readChangelog = (): Change[] =>
  changelogSchema.parse(JSON.parse(readFileSync(join(docs, 'api-changelog.json'), 'utf8')));
