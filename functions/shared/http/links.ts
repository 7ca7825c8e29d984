import { pageCountOf } from '../domain/paging.ts';
import { pairsOf, type QueryParameters } from '../domain/parameters.ts';

/** What the links of one page are made of. `href` is the absolute address of the list, without a query (LINK-2). */
export type LinkFacts = {
  href: string;
  parameters: QueryParameters;
  page: number;
  perPage: number;
  totalCount: number;
  /** The cursor of the page after this one (LINK-5). */
  nextCursor?: string;
};

export type Links = Record<string, { href: string }>;

/** LINK-1: self, first, last, then prev and next where they exist, in this order. */
export const pageLinks = (facts: LinkFacts): Links => {
  const { page, perPage, totalCount, nextCursor } = facts;
  const pageCount = pageCountOf(totalCount, perPage);
  const lastPage = Math.max(pageCount, 1);
  return {
    self: { href: hrefOf(facts, page, facts.parameters) },
    first: { href: hrefOf(facts, 1) },
    last: { href: hrefOf(facts, lastPage) },
    ...(page > 1 && { prev: { href: hrefOf(facts, Math.min(page - 1, lastPage)) } }),
    ...(page < pageCount && {
      next: { href: hrefOf(facts, page + 1, withCursor(facts.parameters, nextCursor)) },
    }),
  };
};

/** LINK-4: the same addresses as one header. */
export const linkHeader = (links: Links): string =>
  Object.entries(links)
    .map(([relation, { href }]) => `<${href}>; rel=${relation}`)
    .join(', ');

/** LINK-3: every parameter again, form encoded; `page` and `per-page` in their place, else at the end. */
const hrefOf = (
  { href, parameters, perPage }: LinkFacts,
  page: number,
  repeated: QueryParameters = withCursor(parameters, undefined),
) => {
  const effective = { page: [String(page)], 'per-page': [String(perPage)] };
  const pairs = pairsOf({ ...repeated, ...effective });
  return `${href}?${new URLSearchParams(pairs)}`;
};

/** A cursor belongs to one page: only `next` carries a new one, and `self` the one it was asked with. */
const withCursor = (parameters: QueryParameters, cursor: string | undefined): QueryParameters => {
  const { after: _, ...others } = parameters;
  return cursor === undefined ? others : { ...parameters, after: [cursor] };
};
