import { columnNames } from '../listing/columns.ts';
import type { Grant } from '../ownership/grant.ts';
import type { ListRequest, ListScope } from './list-request.ts';

/**
 * The page of a list that a cursor leads to. The cursor is valid only for the same scope, filter, size and page
 * (LINK-5).
 */
export type CursorBinding = Omit<ListRequest, 'afterUuid'>;

/** The facts of that page as JSON text. Equal texts mean equal pages. */
export const cursorFacts = ({ scope, filter, page, perPage }: CursorBinding): readonly unknown[] => [
  'list',
  scopeFacts(scope),
  columnNames.map((name) => filter[name]),
  page,
  perPage,
];

/** The order of grants and of their members has no meaning. */
const scopeFacts = (scope: ListScope) =>
  scope.kind === 'grants' ? scope.grants.map(grantFacts).sort() : scope.session;

const grantFacts = ({ group, franchise, location }: Grant) => JSON.stringify([group, franchise, location]);
