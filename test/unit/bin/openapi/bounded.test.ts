import { expect, test } from '@jest/globals';
import { description } from '../../../support/openapi/description.ts';

type Json = Record<string, unknown>;

const methods = ['get', 'put', 'post', 'patch', 'delete'];
const operations = Object.entries(description.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Json>)
    .filter(([method]) => methods.includes(method))
    .map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);

const resolve = (value: Json): Json => {
  const names = typeof value.$ref === 'string' ? value.$ref.split('/').slice(1) : [];
  return names.reduce(
    (found, name) => (found as Json)[name] as Json,
    names.length > 0 ? (description as unknown as Json) : value,
  );
};

/** Texts of a schema that nothing bounds, by their place. */
const unbounded = (schema: Json, at: string, seen: readonly Json[] = []): string[] => {
  const found = resolve(schema);
  if (seen.includes(found)) return [];
  const isText = [found.type].flat().includes('string');
  const isBounded = ['maxLength', 'pattern', 'enum', 'const', 'format'].some((name) => name in found);
  const parts = Object.entries(found).filter(([name]) => !['example', 'examples', 'default'].includes(name));
  const below = parts.flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((part) =>
        typeof part === 'object' && part !== null
          ? unbounded(part as Json, `${at}/${name}`, [...seen, found])
          : [],
      ),
  );
  return [...(isText && !isBounded ? [at] : []), ...below];
};

test('OA-5 every text that a caller sends has a bound: a length, a pattern, a format or its values', () => {
  const sent = operations.flatMap(({ name, operation }) => [
    ...((operation.parameters ?? []) as Json[]).map((one) => {
      const { name: parameter, schema } = resolve(one);
      return unbounded(schema as Json, `${name} ${parameter}`);
    }),
    ...Object.values(
      ((operation.requestBody ?? {}) as { content?: Record<string, { schema: Json }> }).content ?? {},
    ).map(({ schema }) => unbounded(schema, `${name} body`)),
  ]);

  expect(sent.length).toBeGreaterThan(40);
  expect(sent.flat()).toEqual([]);
});

test('OA-5 every operation that asks for a token says 401, and every one that takes anything says how it refuses it', () => {
  const silent = operations.flatMap(({ name, operation }) => {
    const statuses = Object.keys(operation.responses as Json);
    const isPublic = Array.isArray(operation.security) && operation.security.length === 0;
    const takes = operation.requestBody !== undefined || ((operation.parameters ?? []) as []).length > 0;
    return [
      ...(isPublic || statuses.includes('401') ? [] : [`${name}: 401`]),
      ...(isPublic || !takes || statuses.some((status) => ['400', '404', '422'].includes(status))
        ? []
        : [`${name}: 400, 404 or 422`]),
    ];
  });

  expect(silent).toEqual([]);
});
