import type { Patch } from '../../patch.ts';

const document = ['test/unit/bin/openapi/document.test.ts'];
const changes = ['test/unit/bin/openapi/changes/breaking.test.ts'];

/** The description of the interface, and what may change of it. */
export const patches: readonly Patch[] = [
  {
    id: 'described-lines',
    rule: 'OA-1 a rule that is a function stands in the document',
    file: 'bin/openapi/render.ts',
    find: '  for (const check of zodSchema._zod.def.checks ?? []) {',
    put: '  for (const check of []) {',
    tests: document,
  },
  {
    id: 'described-problems',
    rule: 'OA-2 every type of problem has an example',
    file: 'bin/openapi/examples/problems.ts',
    find: 'export const problemExamples: unknown[] = [...ofService, ...ofGateway];',
    put: 'export const problemExamples: unknown[] = [...ofService.slice(1), ...ofGateway];',
    tests: document,
  },
  {
    id: 'breaking-lost-member',
    rule: 'OA-4 an answer loses no member',
    file: 'bin/openapi/changes/schema-gaps.ts',
    find: 'Object.keys(taken.properties ?? {}).filter((name) => given.properties?.[name] === undefined);',
    put: '[taken, given].slice(2).map(String);',
    tests: changes,
  },
  {
    id: 'breaking-null',
    rule: 'OA-4 a null that is new breaks',
    file: 'bin/openapi/changes/schema-gaps.ts',
    find: '  if (ofType.length > 0) return ofType;',
    put: '  if (ofType.length > 0) return [];',
    tests: changes,
  },
  {
    id: 'breaking-webhook',
    rule: 'OA-4 what a webhook carries is judged as an answer',
    file: 'bin/openapi/changes/breaking.ts',
    find: "isWebhook ? (['answer', 'request'] as const)",
    put: "isWebhook ? (['request', 'answer'] as const)",
    tests: changes,
  },
  {
    id: 'breaking-declared-before',
    rule: 'OA-4 what was declared for an earlier release does not count',
    file: 'bin/openapi/changes/changelog.ts',
    find: ' && entry.date > release.date ?',
    put: ' ?',
    tests: changes,
  },
  {
    id: 'breaking-other-difference',
    rule: 'OA-4 a declared break excuses no other of its operation',
    file: 'bin/openapi/changes/changelog.ts',
    find: '.filter((line) => !declared.includes(line));',
    put: ".filter((line) => !declared.some((one) => one.split(':')[0] === line.split(':')[0]));",
    tests: changes,
  },
  {
    id: 'breaking-absent-header',
    rule: 'OA-4 a header that may be absent now breaks',
    file: 'bin/openapi/changes/breaking.ts',
    find: '...(mayBeAbsent ?',
    put: '...(!mayBeAbsent && mayBeAbsent ?',
    tests: changes,
  },
  {
    id: 'breaking-overwritten',
    rule: 'OA-4 a released document is not overwritten by another',
    file: 'bin/openapi/changes/changelog.ts',
    find: 'kept === undefined || kept === made',
    put: "kept === undefined || made !== ''",
    tests: changes,
  },
  {
    id: 'breaking-scope',
    rule: 'OA-4 a scope more breaks',
    file: 'bin/openapi/changes/breaking.ts',
    find: 'scopes.every((scope) => old[scheme]?.includes(scope))',
    put: 'scopes.length >= 0',
    tests: changes,
  },
];
