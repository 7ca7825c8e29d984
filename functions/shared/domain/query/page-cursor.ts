import { columnNames } from '../listing/columns.ts';
import type { Grant } from '../ownership/grant.ts';
import type { ListRequest, ListScope } from './list-request.ts';

/** The page of a list that a cursor leads to: it fits only the same scope, filter, size and page (LINK-5). */
export type CursorBinding = Omit<ListRequest, 'afterUuid'>;

/** What that page is, so that two of them are equal where their texts as JSON are. */
export const cursorFacts = ({ scope, filter, page, perPage }: CursorBinding): readonly unknown[] => [
  'list',
  scopeFacts(scope),
  columnNames.map((name) => filter[name]),
  page,
  perPage,
];

/** The order of grants and of their members means nothing. */
const scopeFacts = (scope: ListScope) =>
  scope.kind === 'grants' ? scope.grants.map(grantFacts).sort() : scope.session;

const grantFacts = ({ group, franchise, location }: Grant) => JSON.stringify([group, franchise, location]);
