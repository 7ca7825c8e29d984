import { namedPatch, type Patch } from '../../patch.ts';

const patch = namedPatch('docs', ['test/unit/functions/serve-docs/handler.test.ts']);
const site = ['test/unit/lib/docs-site/site.test.ts'];
const document = 'functions/serve-docs/document.ts';
const handler = 'functions/serve-docs/handler.ts';

/** What is served to whoever reads about the service. */
export const patches: readonly Patch[] = [
  patch(
    ['auth-address', 'DOC-1 the token service’s address is the stage’s, too'],
    [document, '    .replaceAll(exampleAddresses.authUrl, authUrl)\n', ''],
  ),
  patch(
    ['base-path', 'DOC-1 links have the path of the stage'],
    [document, "new URL(baseUrl).pathname.replace(/\\/$/, '')", "''"],
  ),
  patch(
    ['hashed', 'DOC-2 only what has its hash in its name is kept for ever'],
    [handler, 'isHashed ? ', 'type ? '],
  ),
  patch(['no-script', 'DOC-3 a page may run no script'], [handler, `  "default-src 'none'",\n`, '']),
  {
    ...patch(
      ['slug', 'DOC-5 places have the names that links have'],
      ['lib/docs-site/markdown.ts', '    .toLowerCase()\n', ''],
    ),
    tests: site,
  },
  {
    ...patch(
      ['llms-markdown', 'DOC-6 tools are led to Markdown'],
      ['lib/docs-site/for-tools.ts', 'name}.md)', 'name})'],
    ),
    tests: site,
  },
  {
    ...patch(
      ['collection-address', 'DOC-9 a stage serves the collection with its own addresses'],
      ['lib/docs-site/site.ts', 'addresses[key] ?? value', 'value'],
    ),
    tests: ['test/unit/lib/docs-site/changes.test.ts'],
  },
  {
    ...patch(
      ['changes-linked', 'DOC-9 a change leads to its operation'],
      ['lib/docs-site/changes.ts', 'place === undefined ? name', 'place !== undefined ? name'],
    ),
    tests: ['test/unit/lib/docs-site/changes.test.ts'],
  },
  {
    ...patch(
      ['weight', 'DOC-10 a page weighs no more than its limit'],
      ['lib/docs-site/layout.ts', '</body>\n', '<script>0</script></body>\n'],
    ),
    tests: ['test/unit/lib/docs-site/weight.test.ts'],
  },
  {
    ...patch(
      ['problem-type', 'DOC-4 a type without a paragraph is seen'],
      ['functions/shared/http/problem.ts', "  'precondition-failed': {", "  'version-failed': {"],
    ),
    tests: ['test/unit/lib/docs-site/problems.test.ts'],
  },
  {
    ...patch(
      ['problem-address', 'ERR-1 the type of a problem leads to a page of the stage'],
      ['functions/shared/http/problem.ts', '/docs/problems#', '/docs#'],
    ),
    tests: ['test/unit/functions/v2-read/filter.test.ts'],
  },
  {
    ...patch(
      ['gateway-problem-address', 'ERR-1 the gateway’s types lead to where callers reach the stage'],
      ['lib/constructs/rest-api.ts', 'props.config.fixedAddresses?.baseUrl ?? this.address', 'this.address'],
    ),
    tests: ['test/infrastructure/rest-apis.test.ts'],
  },
];
