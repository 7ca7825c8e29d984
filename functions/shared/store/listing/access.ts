import type { TableAccess } from '../dynamodb/table-access.ts';
import type { ListingSettings } from './settings.ts';

/** What reads of lists need: the table, and the shape of the listing. */
export type ListingAccess = TableAccess<'listingTable'> & { settings: ListingSettings };
