import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';
import type { Grant } from '../../../functions/shared/domain/ownership/grant.ts';

/**
 * Reads `group=G[,franchise=F][,location=L]` (RUN-5). A value may hold any character: a comma ends it only where the next
 * dimension begins.
 */
export const parseGrant = (text: string): Outcome<Grant, 'grant-form'> => {
  const parts = text.split(/,(?=(?:group|franchise|location)=)/).map((part) => {
    const equals = part.indexOf('=');
    return [part.slice(0, equals), part.slice(equals + 1)] as const;
  });
  const names = parts.map(([name]) => name);
  const isKnown = names.every((name) => name === 'group' || name === 'franchise' || name === 'location');
  const isOnce = new Set(names).size === names.length;
  const isFilled = parts.every(([, value]) => value !== '');
  if (!isKnown || !isOnce || !isFilled || !names.includes('group')) return refuse('grant-form');
  const { group = '', franchise, location } = Object.fromEntries(parts);
  return succeed({ group, ...(franchise && { franchise }), ...(location && { location }) });
};

/** Writes a grant in the form in which it is typed. */
export const formatGrant = ({ group, franchise, location }: Grant) =>
  [
    `group=${group}`,
    ...(franchise === undefined ? [] : [`franchise=${franchise}`]),
    ...(location === undefined ? [] : [`location=${location}`]),
  ].join(',');

/** Whether two grants are the same in every dimension. */
export const isSameGrant = (one: Grant, other: Grant) =>
  one.group === other.group && one.franchise === other.franchise && one.location === other.location;
