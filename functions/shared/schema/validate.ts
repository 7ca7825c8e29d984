import * as z from 'zod/mini';
import type { FieldError } from '../domain/query/filter.ts';
import type { JsonObject } from '../domain/transaction/transaction.ts';

type Issue = z.core.$ZodIssue;

/** All faults of a body, each with the path of its member. Empty for a valid body (S-13). */
export const schemaErrors = (schema: z.ZodMiniType, body: JsonObject): FieldError[] => {
  const validated = z.safeParse(schema, body, { reportInput: true });
  return validated.success ? [] : validated.error.issues.flatMap((issue) => errorsOf(issue, []));
};

const errorsOf = (issue: Issue, above: PropertyKey[]): FieldError[] => {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unwritable([...path, name]));
  const inner = issue.code === 'invalid_union' && issue.errors.find(isAboutMembers);
  if (inner) return inner.flatMap((one) => errorsOf(one, path));
  return [
    { field: fieldOf(path), message: issue.input === undefined ? 'The member is missing.' : issue.message },
  ];
};

/** The alternative that was meant: the value has its type, and a member of it is at fault. */
const isAboutMembers = (issues: Issue[]) => issues.every(({ path }) => path.length > 0);

const unwritable = (path: PropertyKey[]) => ({
  field: fieldOf(path),
  message: 'The member is unknown, or you cannot change it.',
});

const fieldOf = (path: PropertyKey[]) => path.map(String).join('.');
