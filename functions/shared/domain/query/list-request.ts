import type { ListFilter } from '../listing/columns.ts';
import type { Grant } from '../ownership/grant.ts';
import type { ElementName } from '../transaction/transaction.ts';

/** What a caller may see: a partner's grants, or one V1 session. */
export type ListScope =
  | { readonly kind: 'grants'; readonly grants: readonly Grant[] }
  | { readonly kind: 'session'; readonly session: string };

/** One page of a list. */
export type ListRequest = {
  scope: ListScope;
  filter: ListFilter;
  /** 1 to 10^9 (PAGE-1). */
  page: number;
  /** 1 to 50 (PAGE-2). */
  perPage: number;
  /** uuid of the last record of the previous page, from a valid cursor of a `next` link (LINK-5). */
  afterUuid?: string;
  /** The elements that will be shown. Others need not be read. Absent for all. */
  shown?: readonly ElementName[];
};
