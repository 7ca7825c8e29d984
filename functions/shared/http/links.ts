import { pageCountOf, pairsOf, type QueryParameters } from '../domain/query/parameters.ts';

/** What the links of a page are made from. `href` is the absolute address of the list, without a query (LINK-2). */
export type LinkFacts = {
  href: string;
  parameters: QueryParameters;
  page: number;
  perPage: number;
  totalCount: number;
  hasNext: boolean;
  /** The cursor of the next page (LINK-5). */
  nextCursor?: string | undefined;
};

export type Links = Record<string, { href: string }>;

/** Self, first and last, then prev and next if they exist, in this order (LINK-1). */
export const pageLinks = (facts: LinkFacts): Links => {
  const { page, perPage, totalCount, hasNext, parameters, nextCursor } = facts;
  // A cursor belongs to one page: `self` keeps that of the request, and only `next` gets a new one.
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

/** API Gateway accepts 10,240 bytes of headers, and common clients 16 kB, while five links repeat the whole query. */
const longestLinkHeader = 8_000;

/** The same links as a header (LINK-4). Left out if it is too long, because the body has them, too. */
export const linkHeader = (links: Links): { Link?: string } => {
  const header = Object.entries(links)
    .map(([relation, { href }]) => `<${href}>; rel=${relation}`)
    .join(', ');
  return header.length > longestLinkHeader ? {} : { Link: header };
};

/**
 * Every parameter again, form-encoded. `page`, `per-page` and the cursor stay in their place or are added at the end
 * (LINK-3).
 */
const hrefOf = ({ href, parameters, perPage }: LinkFacts, page: number, cursor?: string) => {
  const pairs = pairsOf({
    ...parameters,
    page: [String(page)],
    'per-page': [String(perPage)],
    ...(cursor !== undefined && { after: [cursor] }),
  });
  return { href: `${href}?${new URLSearchParams(pairs)}` };
};
