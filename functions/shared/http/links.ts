import { pageCountOf, pairsOf, type QueryParameters } from '../domain/query/parameters.ts';

/** What the links of one page are made of. `href` is the absolute address of the list, without a query (LINK-2). */
export type LinkFacts = {
  href: string;
  parameters: QueryParameters;
  page: number;
  perPage: number;
  totalCount: number;
  hasNext: boolean;
  /** The cursor of the page after this one (LINK-5). */
  nextCursor?: string | undefined;
};

export type Links = Record<string, { href: string }>;

/** Self, first, last, then prev and next where they exist, in this order (LINK-1). */
export const pageLinks = (facts: LinkFacts): Links => {
  const { page, perPage, totalCount, hasNext, parameters, nextCursor } = facts;
  // A cursor belongs to one page: `self` keeps the one it was asked with, only `next` gets a new one.
  const { after: _, ...withoutCursor } = parameters;
  const elsewhere = { ...facts, parameters: withoutCursor };
  const lastPage = Math.max(pageCountOf(totalCount, perPage), 1);
  return {
    self: hrefOf(facts, page),
    first: hrefOf(elsewhere, 1),
    last: hrefOf(elsewhere, lastPage),
    ...(page > 1 && { prev: hrefOf(elsewhere, Math.min(page - 1, lastPage)) }),
    ...(hasNext && { next: hrefOf(facts, page + 1, nextCursor) }),
  };
};

/** API Gateway ends at 10,240 bytes of headers and common clients at 16 kB, while five relations repeat the whole query. */
const longestLinkHeader = 8_000;

/** The same addresses as one header (LINK-4); left out when too long to be carried, because the body has them too. */
export const linkHeader = (links: Links): { Link?: string } => {
  const header = Object.entries(links)
    .map(([relation, { href }]) => `<${href}>; rel=${relation}`)
    .join(', ');
  return header.length > longestLinkHeader ? {} : { Link: header };
};

/** Every parameter again, form encoded; `page`, `per-page` and a cursor in their place, else at the end (LINK-3). */
const hrefOf = ({ href, parameters, perPage }: LinkFacts, page: number, cursor?: string) => {
  const pairs = pairsOf({
    ...parameters,
    page: [String(page)],
    'per-page': [String(perPage)],
    ...(cursor !== undefined && { after: [cursor] }),
  });
  return { href: `${href}?${new URLSearchParams(pairs)}` };
};
