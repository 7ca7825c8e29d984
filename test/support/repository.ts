import { join } from 'node:path';

/** The folder of this checkout. */
export const root = join(import.meta.dirname, '../..');
