import { expect, test } from '@jest/globals';
import { description, faultsAt, pointer } from '../../../support/openapi/description.ts';
import { meantBy, operations, valueAt, within } from '../../../support/openapi/operations.ts';

type Node = Record<string, unknown>;
type Found = { name: string; place: string; node: Node };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Members that hold values, not parts of the document. */
const values = ['example', 'examples', 'default', 'enum', 'const'];

/** All parts of the document with their places. */
const partsOf = (node: unknown, place = '#', isOfNames = false): Found[] => {
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    if (!isNode(value) || (!isOfNames && values.includes(name))) return [];
    const below = place + pointer(name).slice(1);
    return [{ name, place: below, node: value }, ...partsOf(value, below, name === 'properties')];
  });
};

const parts = partsOf(description);
const partsIn = (...folders: string[]) =>
  parts.filter(({ place }) => folders.includes(place.split('/').at(-2) ?? ''));
const members = partsIn('properties');
const isReference = ({ node }: Found) => typeof node.$ref === 'string';

const wordsOf = (text: unknown): string[] =>
  String(text ?? '')
    .replaceAll(/(?<=[a-z])[A-Z]/g, ' $&')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [];

/** Whether a description says so little more than the name that a reader learns nothing. */
const isMute = (name: string, text: unknown) => {
  const own = wordsOf(name);
  return wordsOf(text).filter((word) => !own.includes(word)).length < 3;
};

const muteAmong = (found: readonly Found[]) =>
  found.filter(({ name, node }) => isMute(name, node.description)).map(({ place }) => decodeURI(place));

test('OA-7 every member of a body has a description, with more words than its name', () => {
  expect(members.length).toBeGreaterThan(500);
  expect(muteAmong(members)).toEqual([]);
});

test('OA-7 every parameter, header, response, schema, tag and authentication has a description', () => {
  const named = partsIn('parameters', 'headers', 'schemas', 'securitySchemes', 'tags');
  const answers = partsIn('responses').map((answer) => ({ ...answer, name: '' }));

  expect(muteAmong([...named, ...answers].filter((one) => !isReference(one)))).toEqual([]);
});

/** Every operation of the document, of partners' endpoints too. */
const titled = parts.flatMap(({ node }) =>
  'operationId' in node ? [node as { operationId: string; summary: string; description: string }] : [],
);

test('OA-7 the title of an operation is an imperative, and its description says more', () => {
  const verbs =
    /^(Check|Create|Get|List|Open|Pause|Receive|Record|Remove|Replace|Replay|Revoke|Rotate|Set|Sign|Test|Update) /;
  const titles = titled.map(({ summary }) => summary);

  expect(titles.filter((title) => !verbs.test(title) || title.length > 60)).toEqual([]);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  expect(titled.filter((one) => isMute(one.summary, one.description))).toEqual([]);
});

test('OA-7 numbers that are 0 or 1, and all fixed ones, are integers', () => {
  const fixed = parts.filter(({ node }) =>
    [node.enum, [node.const]].flat().some((value) => Number.isInteger(value)),
  );

  expect(fixed.length).toBeGreaterThan(20);
  expect(fixed.filter(({ node }) => node.type !== 'integer').map(({ place }) => place)).toEqual([]);
});

/** Every path of a value and of its members, by the schemas that it fits. */
const shownBy = (place: string, value: unknown): string[] => {
  const at = meantBy(place);
  const schema: Node = valueAt(at) ?? {};
  const into = (...names: string[]) => at + pointer(...names).slice(1);
  const options = Array.isArray(schema.anyOf)
    ? schema.anyOf.map((_, index) => into('anyOf', String(index)))
    : [];
  const below: [string, unknown][] = [
    ...options
      .filter((one) => faultsAt(one, value).length === 0)
      .map((one): [string, unknown] => [one, value]),
    ...(isNode(schema.properties) && isNode(value)
      ? Object.keys(schema.properties)
          .filter((name) => value[name] !== undefined)
          .map((name): [string, unknown] => [into('properties', name), value[name]])
      : []),
    ...(isNode(schema.items) && Array.isArray(value)
      ? value.map((one): [string, unknown] => [into('items'), one])
      : []),
  ];
  const isValue = value !== null || options.length === 0;
  return [...(isValue ? [place] : []), ...below.flatMap(([where, one]) => shownBy(where, one))];
};

const sayingOf = ({ name, node }: Found) => `${name}: ${node.description}`;

/** Whether it is of a schema that has a name, or a list of it, or may be null. */
const holdsSchema = ({ $ref, anyOf, items }: Node): boolean =>
  $ref !== undefined || [anyOf, items].flat().some((one) => isNode(one) && holdsSchema(one));

/** Bodies with their examples; a schema may have examples of its own. */
const examples = parts.flatMap(({ place, node }): [string, unknown][] => [
  ...(isNode(node.schema) && isNode(node.examples)
    ? Object.values(node.examples).map((one): [string, unknown] => [`${place}/schema`, (one as Node).value])
    : []),
  ...(Array.isArray(node.examples) ? node.examples.map((one): [string, unknown] => [place, one]) : []),
]);

test('OA-7 every example of a body matches its schema', () => {
  expect(examples.length).toBeGreaterThan(200);
  expect(
    examples.flatMap(([place, value]) => faultsAt(place, value).map((fault) => `${place} ${fault}`)),
  ).toEqual([]);
});

test('OA-7 every member of a body has a value in an example', () => {
  const shown = new Set(examples.flatMap(([place, value]) => shownBy(place, value)));
  // The same member of another body needs no second example, a fixed value and another schema have one by themselves.
  const said = new Set(members.filter(({ place }) => shown.has(place)).map(sayingOf));
  const never = members.filter(
    (one) => !said.has(sayingOf(one)) && !('const' in one.node) && !holdsSchema(one.node),
  );

  expect(never.map(({ place }) => decodeURI(place))).toEqual([]);
});

type ListExample = { data: unknown[]; _meta: { [name: string]: number } };

/** Every value of an example, with all that is in it. */
const allWithin = (value: unknown): Node[] =>
  isNode(value) ? [value, ...Object.values(value).flatMap(allWithin)] : [];

test('OA-7 a list in an example has as many records as its totals say', () => {
  const lists = allWithin(description).filter(
    (node): node is ListExample =>
      Array.isArray(node.data) && isNode(node._meta) && 'totalCount' in node._meta,
  );
  const wrong = lists.filter(
    ({ data, _meta: { totalCount = 0, pageCount, currentPage = 1, perPage = 1 } }) => {
      const rest = totalCount - (currentPage - 1) * perPage;
      return data.length !== Math.min(perPage, rest) || pageCount !== Math.ceil(totalCount / perPage);
    },
  );

  expect(lists.length).toBeGreaterThan(2);
  expect(wrong.map(({ _meta }) => _meta)).toEqual([]);
});

test('OA-7 servers are those of the stage that serves the document', () => {
  const all = [description, ...Object.values(description.paths ?? {})].flatMap(({ servers = [] }) => servers);

  expect([...new Set(all.map(({ url }) => url))]).toEqual([
    ...['https://api.transactions.example', 'https://auth.transactions.example'],
  ]);
});

const headerOf = (id: string, status: string, name: string) => {
  const { place = '' } = operations.find((one) => one.id === id) ?? {};
  const header = within(place, 'responses', status, 'headers', name) ?? '';
  return valueAt(header)?.example;
};

const scopeIsMissing = (scope: string) => `Bearer realm="api", error="insufficient_scope", scope="${scope}"`;
test.each([
  ['issueToken', '401', 'WWW-Authenticate', 'Basic realm="token"'],
  ['listTransactions', '403', 'WWW-Authenticate', scopeIsMissing('nop2/read')],
  ['createPayment', '403', 'WWW-Authenticate', scopeIsMissing('nop2/write')],
  ['setWebhook', '202', 'Location', 'https://api.transactions.example/v2/webhook'],
])('OA-7 the example of a header is what the response has: %s %s %s', (id, status, name, value) => {
  expect(headerOf(id, status, name)).toBe(value);
});

test('OA-7 a response with several causes names them, or says where its body does', () => {
  const answers = partsIn('responses').filter(({ node }) => Object.keys(examplesIn(node)).length > 1);
  const refusals = answers.filter(
    ({ node }) => isNode(node.content) && !('application/json' in node.content),
  );
  const silent = refusals.filter(({ node }) => {
    const causes = Object.values(examplesIn(node)).map(({ summary }) => String(summary).toLowerCase());
    return !causes.every((cause) => String(node.description).toLowerCase().includes(cause));
  });

  expect(refusals.length).toBeGreaterThan(10);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

/** The examples of an answer's body. */
function examplesIn({ content }: Node): { [name: string]: Node } {
  const [body] = isNode(content) ? Object.values(content) : [];
  return isNode(body) && isNode(body.examples) ? (body.examples as { [name: string]: Node }) : {};
}

test('OA-8 every operation has the responses 429, 431, 500, 502, 503 and 504, and with a body 413, and 415 if it takes JSON', () => {
  const silent = operations.flatMap(({ id, place }) => {
    const content = Object.keys(valueAt(`${place}/requestBody/content`) ?? {});
    const needed = [
      ...['429', '431', '500', '502', '503', '504'],
      ...(content.length > 0 ? ['413'] : []),
      ...(content.includes('application/json') ? ['415'] : []),
    ];
    const listed = Object.keys(valueAt(`${place}/responses`) ?? {});
    return needed.filter((status) => !listed.includes(status)).map((status) => `${id} ${status}`);
  });

  expect(silent).toEqual([]);
});
