import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingSettings } from './settings.ts';

/** What lists are read with: the table, and how the listing is cut. */
export type ListingAccess = TableAccess<'listingTable'> & { settings: ListingSettings };
