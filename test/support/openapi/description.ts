import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { oas31 } from 'zod-openapi';
import { root } from '../repository.ts';

/** The document as it is committed and served. */
export const description = JSON.parse(
  readFileSync(join(root, 'docs/openapi.json'), 'utf8'),
) as oas31.OpenAPIObject;

// Each process compiles the schemas that it needs. Without copies of references, this takes a third of the time.
const ajv = new Ajv2020({
  ...{ allErrors: true, strict: false, validateSchema: false },
  ...{ inlineRefs: false, code: { optimize: false } },
});
formats.default(ajv);
ajv.addSchema(description, 'openapi');

/** A place in the document, by its members: `pointer('paths', '/api/v2/transaction', 'get')`. */
export const pointer = (...members: string[]): string =>
  `#${members.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;

/** What is wrong with a value by the schema at a place of the document; nothing when it is as described. */
export const faultsAt = (place: string, value: unknown): string[] => {
  const validate = ajv.getSchema(`openapi${place}`);
  if (!validate) throw new Error(`There is no schema at ${place}`);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
};
