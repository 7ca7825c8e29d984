import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { root } from '../repository.ts';

/** The schemas as they are handed to partners, by file. */
const folder = join(root, 'functions/shared/schema/events');
const writtenSchemas = (): { [file: string]: unknown } =>
  Object.fromEntries(
    readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8'))]),
  );

/** `format` is a note beside a pattern; unions of types are how a value that may be null is written. */
const ajv = new Ajv2020({ allErrors: true, validateFormats: false, allowUnionTypes: true });
const validators = new Map<unknown, ValidateFunction>(
  Object.values(writtenSchemas()).map((schema) => {
    const { title, ...rules } = schema as { title: string };
    return [title, ajv.compile(rules)];
  }),
);

/** What is wrong with a message as a receiver gets it, parsed; nothing when it is as the interface says (interface 6.2). */
export const checkMessage = (body: unknown): string[] => {
  const type = (body as { 'detail-type'?: unknown } | null)?.['detail-type'];
  const validate = validators.get(type);
  if (!validate) return [`detail-type ${JSON.stringify(type)} is unknown`];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
};
