import { apiCatalog } from '../../docs/for-tools.ts';

export const apiCatalogExample: unknown = JSON.parse(apiCatalog());
