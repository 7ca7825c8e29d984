import { exampleAddresses } from '../../functions/serve-docs/document.ts';
import type { Page } from './layout.ts';
import { escaped, htmlOf, inlineHtmlOf } from './markdown.ts';
import {
  type Answer,
  type Content,
  type Header,
  type Media,
  nameIn,
  type OpenApi,
  type Operation,
  operationsOf,
  type Parameter,
  resolved,
} from './open-api.ts';
import { meaningOf, membersTable, typeOf } from './schema-html.ts';

type Shown = { path: string; method: string; operation: Operation };
type Components = OpenApi['components'];

/** The whole description as one page: operations by their tags, webhooks, then what they have in common. */
export const referencePage = (api: OpenApi, guides: ReadonlySet<string>): Page => {
  const shown = shownOf(api);
  const tags = api.tags.map((tag) => ({
    ...tag,
    shown: shown.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const parts = tags.map(
    (tag) =>
      `<h2 id="${idOf(tag.name)}">${escaped(tag.name)}</h2>\n<p>${inlineHtmlOf(tag.description)}</p>\n` +
      tag.shown.map((one) => operationHtml(one, { api, guides })).join(''),
  );
  return {
    name: 'reference',
    title: 'Reference',
    summary:
      'Every operation, parameter, answer, header and webhook, from the same description as openapi.json.',
    html: [head(api), ...parts, answersHtml(api.components), schemasHtml(api.components)].join('\n'),
    contents: contentsHtml(tags),
  };
};

const head = ({ info }: OpenApi) =>
  `<h1>Reference</h1>\n<p>${inlineHtmlOf(info.description)} As a file: <a href="/__base__/openapi.json">openapi.json</a> (OpenAPI 3.1, version ${escaped(info.version)}); what is new: <a href="/__base__/docs/changes">Changes</a>.</p>\n`;

/** Where the page has an operation, named as `GET /api/v2/event` or `webhook WebhookTest`; undefined where it has none. */
export const placeInReference = (api: OpenApi, operation: string): string | undefined => {
  const all = shownOf(api).map(idOfOperation);
  return all.includes(idOf(operation))
    ? `${exampleAddresses.baseUrl}/docs/reference#${idOf(operation)}`
    : undefined;
};

const shownOf = (api: OpenApi): Shown[] => [
  ...operationsOf(api.paths),
  ...operationsOf(api.webhooks).map((one) => ({ ...one, method: 'webhook' })),
];

/** `get-/api/v2/transaction` as `get-api-v2-transaction`. */
const idOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
const idOfOperation = ({ method, path }: Shown) => idOf(`${method} ${path}`);

const contentsHtml = (tags: readonly { name: string; shown: readonly Shown[] }[]) =>
  `<div class="within">
${tags.map(({ name, shown }) => `<p class="part">${escaped(name)}</p>\n<ul>\n${shown.map(contentsLine).join('\n')}\n</ul>`).join('\n')}
<p class="part">In common</p>
<ul><li><a href="#answers">Answers</a></li><li><a href="#schemas">Schemas</a></li></ul>
</div>
`;

const contentsLine = (one: Shown) =>
  `<li><a href="#${idOfOperation(one)}">${escaped(one.operation.summary)}</a></li>`;

type Context = { api: OpenApi; guides: ReadonlySet<string> };

const operationHtml = (one: Shown, { api, guides }: Context): string => {
  const { method, path, operation } = one;
  const { components } = api;
  const parameters = (operation.parameters ?? []).map((part) => resolved(part, components.parameters));
  return [
    `<section class="operation" aria-labelledby="${idOfOperation(one)}">`,
    `<h3 id="${idOfOperation(one)}">${escaped(operation.summary)}</h3>`,
    `<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${escaped(path)}</code></p>`,
    operation.description === undefined ? '' : htmlOf(operation.description, guides),
    rightsHtml(operation.security ?? api.security ?? []),
    parametersHtml(parameters),
    operation.requestBody ? `<h4>Body</h4>\n${contentHtml(operation.requestBody.content)}` : '',
    `<h4>Answers</h4>\n<ul class="answers">\n${Object.entries(operation.responses)
      .map(([status, answer]) => answerLine(status, answer, components))
      .join('\n')}\n</ul>`,
    '</section>\n',
  ]
    .filter((part) => part !== '')
    .join('\n');
};

const rightsHtml = (security: readonly Record<string, string[]>[]): string => {
  const ways = security.map((way) =>
    Object.entries(way)
      .map(([name, scopes]) =>
        [nameOfScheme(name), ...scopes.map((scope) => `<code>${escaped(scope)}</code>`)].join(' '),
      )
      .join(' and '),
  );
  const needed = ways.filter((way) => way !== '');
  if (needed.length === 0) return '<p class="rights">Needs nothing.</p>';
  return `<p class="rights">Needs ${needed.join(' or ')}${needed.length < ways.length ? ', or nothing' : ''}.</p>`;
};

const schemeNames: Record<string, string> = {
  accessToken: 'an access token with',
  session: 'a session token',
  client: 'the client’s id and secret',
};
const nameOfScheme = (name: string) => schemeNames[name] ?? escaped(name);

const parametersHtml = (parameters: readonly Parameter[]): string => {
  if (parameters.length === 0) return '';
  const rows = parameters.map((one) => {
    const needed = one.required ? '' : ' <span class="note">optional</span>';
    const value = one.example ?? Object.values(one.examples ?? {})[0]?.value;
    const example =
      value === undefined
        ? ''
        : ` <span class="note">for example <code>${escaped(String(value))}</code></span>`;
    const meaning = [inlineHtmlOf(one.description ?? ''), meaningOf(one.schema)]
      .filter((part) => part !== '')
      .join(' ');
    return `<tr><td><code>${escaped(one.name)}</code>${needed}</td><td>${escaped(one.in)}</td><td>${typeOf(one.schema)}</td><td>${meaning}${example}</td></tr>`;
  });
  return `<h4>Parameters</h4>
<div class="table" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`;
};

/** An answer that many operations have is shown once, and only named here. */
const answerLine = (status: string, answer: Answer | { $ref: string }, components: Components): string => {
  const { description } = resolved(answer, components.responses);
  const name = `<span class="status">${escaped(status)}</span> `;
  if ('$ref' in answer)
    return `<li>${name}<a href="#answer-${nameIn(answer.$ref)}">${escaped(description)}</a></li>`;
  return `<li><details><summary>${name}${escaped(description)}</summary>\n${answerHtml(answer, components)}</details></li>`;
};

const answerHtml = ({ headers = {}, content = {} }: Answer, components: Components): string =>
  `${headersHtml(headers, components)}${contentHtml(content)}`;

const headersHtml = (headers: NonNullable<Answer['headers']>, components: Components): string => {
  const lines = Object.entries(headers).map(([name, header]) => {
    const { description = '' }: Header = resolved(header, components.headers);
    return `<li><code>${escaped(name)}</code> ${inlineHtmlOf(description)}</li>`;
  });
  return lines.length === 0 ? '' : `<ul class="headers">\n${lines.join('\n')}\n</ul>\n`;
};

const contentHtml = (content: Content): string =>
  Object.entries(content)
    .map(
      ([type, media]) =>
        `<p><code>${escaped(type)}</code>: ${typeOf(media.schema)}</p>\n${examplesHtml(media)}`,
    )
    .join('');

const examplesHtml = ({ example, examples = {} }: Media): string => {
  const all = [...(example === undefined ? [] : [{ value: example }]), ...Object.values(examples)];
  return all
    .map((one) => {
      const title = 'summary' in one && one.summary ? one.summary : 'Example';
      const text = typeof one.value === 'string' ? one.value : JSON.stringify(one.value, null, 2);
      return `<details class="example"><summary>${escaped(title)}</summary>\n<pre tabindex="0"><code>${escaped(text)}</code></pre></details>\n`;
    })
    .join('');
};

const answersHtml = (components: Components): string =>
  `<h2 id="answers">Answers that many operations have</h2>\n${Object.entries(components.responses)
    .map(
      ([name, answer]) =>
        `<section class="operation"><h3 id="answer-${name}">${escaped(answer.description)}</h3>\n${answerHtml(answer, components)}</section>\n`,
    )
    .join('')}`;

const schemasHtml = ({ schemas }: Components): string =>
  `<h2 id="schemas">Schemas</h2>\n${Object.entries(schemas)
    .map(
      ([name, schema]) =>
        `<section class="operation"><h3 id="schema-${name}">${escaped(name)}</h3>\n${schema.description === undefined ? '' : `<p>${inlineHtmlOf(schema.description)}</p>\n`}${membersTable({ ...schema, description: '' })}</section>\n`,
    )
    .join('')}`;
