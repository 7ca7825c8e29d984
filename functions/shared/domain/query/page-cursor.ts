import { createHash } from 'node:crypto';
import type { Grant } from '../ownership/grant.ts';
import type { ListRequest, ListScope } from './list-request.ts';

/** The list that a cursor belongs to: it fits only the same scope, filter, size and page (LINK-5). */
export type CursorBinding = Omit<ListRequest, 'afterUuid'>;

/** An opaque `after`: the last record's uuid and a digest of what it is bound to; nothing global is in it (LINK-5). */
export const writeCursor = (uuid: string, binding: CursorBinding): string =>
  `${Buffer.from(uuid).toString('base64url')}.${digestOf(uuid, binding)}`;

/** The uuid of a cursor that fits; undefined for any other text, and then the page number counts (LINK-5). */
export const readCursor = (cursor: string | undefined, binding: CursorBinding): string | undefined => {
  const uuid = Buffer.from(cursor?.split('.')[0] ?? '', 'base64url').toString();
  return uuid !== '' && cursor === writeCursor(uuid, binding) ? uuid : undefined;
};

const digestOf = (uuid: string, { scope, filter, page, perPage }: CursorBinding) =>
  createHash('sha256')
    .update(JSON.stringify([uuid, scopeFacts(scope), filterFacts(filter), page, perPage]))
    .digest('base64url')
    .slice(0, 16);

/** The order of grants and of their members means nothing. */
const scopeFacts = (scope: ListScope) =>
  scope.kind === 'grants' ? scope.grants.map(grantFacts).sort() : scope.session;

const grantFacts = ({ group, franchise, location }: Grant) => JSON.stringify([group, franchise, location]);

const filterFacts = ({ uuid, status, ndstockid, salesmasterid }: ListRequest['filter']) => [
  uuid,
  status,
  ndstockid,
  salesmasterid,
];
