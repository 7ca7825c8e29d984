import { z } from 'zod';
import { type Reply, success } from '../aws/json-protocol.ts';

/** Names of rules, targets, connections and destinations. */
export const nameSchema = z.string().regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'Not a name.');

export const pageSchema = {
  NamePrefix: z.string().default(''),
  NextToken: z.string().optional(),
  Limit: z.int().min(1).max(100).default(100),
};

type Page = { NamePrefix: string; NextToken?: string | undefined; Limit: number };
type Listing<Record> = {
  list: (wanted: { prefix: string; after?: string | undefined; limit: number }) => Record[];
  /** What the answer calls the list. */
  name: string;
  show: (record: Record) => object;
};

/** One page of a list by name; its token is the last name on it. */
export const pageOf = <Record extends { Name: string }>(
  { NamePrefix, NextToken, Limit }: Page,
  { list, name, show }: Listing<Record>,
): Reply => {
  const found = list({ prefix: NamePrefix, after: NextToken, limit: Limit + 1 });
  const shown = found.slice(0, Limit);
  const last = found.length > Limit ? shown.at(-1)?.Name : undefined;
  return success({ [name]: shown.map(show), ...(last !== undefined && { NextToken: last }) });
};
