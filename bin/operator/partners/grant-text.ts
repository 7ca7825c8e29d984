import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';

const dimensions = ['group', 'franchise', 'location'];

type Part = { name: string; value: string };

/**
 * Parses `group=G[,franchise=F][,location=L]` (RUN-5), or says what is wrong with it. A comma always ends a value, so that a
 * misspelt dimension does not become part of the value before it; quotes enclose a value with a comma.
 */
export const parseGrant = (text: string): Outcome<Grant, string> => {
  const parts = text.split(commaOutsideQuotes).map(partOf);
  const fault = parts.map(partFault).find((found) => found !== undefined) ?? grantFault(parts);
  if (fault !== undefined) return refuse(fault);
  const values: Record<string, string> = Object.fromEntries(
    parts.map(({ name, value }) => [name, unquoted(value)]),
  );
  const { group = '', franchise, location } = values;
  return succeed({ group, ...(franchise && { franchise }), ...(location && { location }) });
};

/** A comma with an even number of quotes behind it. */
const commaOutsideQuotes = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

const partOf = (text: string): Part => {
  const [name = '', ...value] = text.split('=');
  return value.length === 0 ? { name: '', value: text } : { name, value: value.join('=') };
};

const partFault = ({ name, value }: Part): string | undefined => {
  if (name === '') return value === '' ? 'it has an empty part' : `"${value}" is not a dimension`;
  if (!dimensions.includes(name)) return `"${name}" is no dimension of a grant`;
  if (value === '' || value === '""') return `${name} has no value`;
  if (value.startsWith('=')) return `${name} has two equals signs`;
  return value.includes('"') && !quoted.test(value) ? `the quotes of ${name} do not enclose it` : undefined;
};

const grantFault = (parts: Part[]) => {
  const names = parts.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `it names ${twice} twice`;
  return names.includes('group') ? undefined : 'it names no group';
};

/** A quote within quotes is doubled, as in CSV files (RFC 4180). */
const quoted = /^"((?:[^"]|"")*)"$/;

const unquoted = (value: string) => quoted.exec(value)?.[1]?.replaceAll('""', '"') ?? value;

/** Writes a grant in the form that `parseGrant` reads. */
export const formatGrant = ({ group, franchise, location }: Grant) =>
  Object.entries({ group, franchise, location })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${asTyped(value)}`]))
    .join(',');

const asTyped = (value: string) => (/^=|[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** Whether two grants are the same in every dimension. */
export const isSameGrant = (one: Grant, other: Grant) =>
  one.group === other.group && one.franchise === other.franchise && one.location === other.location;
