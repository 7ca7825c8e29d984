import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { breakingChanges } from './breaking.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** One change of the interface, as partners are told of it. */
const about = {
  date: z.iso.date(),
  /** An operation of the document, `GET /api/v2/event`, or `webhook TransactionUpdated`. */
  operation: z.string().regex(/^(?:(?:GET|PUT|POST|PATCH|DELETE) \/\S*|webhook \w+)$/),
  sentence: z.string().min(10).endsWith('.'),
};
const change = z.discriminatedUnion('kind', [
  z.strictObject({ ...about, kind: z.enum(['added', 'changed', 'deprecated']) }),
  /** `difference` is what `npm run openapi -- --check` tells of the operation: it excuses this one and no other. */
  z.strictObject({ ...about, kind: z.literal('breaking'), difference: z.string().min(1) }),
]);

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

/** Breaking changes since a release that no later entry declares, by their operation and what they are. */
export const undeclared = (
  release: Release,
  now: oas31.OpenAPIObject,
  changelog: readonly Change[],
): string[] => {
  const declared = changelog.flatMap((entry) =>
    entry.kind === 'breaking' && entry.date > release.date ? [`${entry.operation}: ${entry.difference}`] : [],
  );
  return breakingChanges(release.document, now)
    .map(({ operation, what }) => `${operation}: ${what}`)
    .filter((line) => !declared.includes(line));
};

export const readChangelog = (): Change[] =>
  changelogSchema.parse(JSON.parse(readFileSync(join(docs, 'api-changelog.json'), 'utf8')));

/** Why a document may not be kept as that of a day; partners may have read what was kept before. */
export const whyNotReleased = (kept: string | undefined, made: string): string | undefined =>
  kept === undefined || kept === made
    ? undefined
    : 'was released with other content, and partners may have read it: release under a new date, or say --again if nobody has';
