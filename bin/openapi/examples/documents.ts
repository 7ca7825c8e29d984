import { apiCatalog } from '../../../lib/docs-site/for-tools.ts';

export const apiCatalogExample: unknown = JSON.parse(apiCatalog().text);
