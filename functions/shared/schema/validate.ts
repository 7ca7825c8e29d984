import * as z from 'zod/mini';
import type { FieldError } from '../domain/query/filter.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';

type Issue = z.core.$ZodIssue;

/** Every refused member of a body by its path, with its first fault. Empty for a valid body (S-13). */
export const schemaErrors = (schema: z.ZodMiniType, body: JsonObject): FieldError[] => {
  const validated = z.safeParse(schema, body, { reportInput: true });
  return validated.success ? [] : issuesOf(validated.error).flatMap(errorsOf);
};

/**
 * The first issue of each member, with its whole path: a text that is too long may be no single line, too. Unknown names are
 * an issue of their object. Of alternatives that all fail, the issues of the one that was meant count.
 */
export const issuesOf = ({ issues }: { issues: Issue[] }): Issue[] => {
  const byMember = Map.groupBy(withWholePaths(issues, []), ({ path, code }) =>
    JSON.stringify([path, code === 'unrecognized_keys']),
  );
  return [...byMember.values()].flatMap(([first]) => first ?? []);
};

const withWholePaths = (issues: Issue[], above: PropertyKey[]): Issue[] =>
  issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    const meant = issue.code === 'invalid_union' && issue.errors.find(isAboutMembers);
    return meant ? withWholePaths(meant, path) : [{ ...issue, path }];
  });

/** The alternative that was meant: the value has its type, and a member of it is at fault. */
const isAboutMembers = (issues: Issue[]) => issues.every(({ path }) => path.length > 0);

const errorsOf = (issue: Issue): FieldError[] => {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unwritable([...issue.path, name]));
  const message = issue.input === undefined ? 'The member is missing.' : issue.message;
  return [{ field: fieldOf(issue.path), message }];
};

const unwritable = (path: PropertyKey[]) => ({
  field: fieldOf(path),
  message: 'The member is unknown, or you cannot change it.',
});

const fieldOf = (path: PropertyKey[]) => path.map(String).join('.');
