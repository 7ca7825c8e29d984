import type { Collection } from '../../bin/openapi/collection/collection.ts';
import type { Request } from '../../bin/openapi/collection/request.ts';

/** A tool's request in a common form, without disabled parts. */
type Imported = {
  name: string;
  method: string;
  url: string;
  headers: string[];
  body: string | string[] | undefined;
  auth: string[];
};

/** What a tool made of a collection; scripts are those that set variables and test answers. */
export type Import = { requests: Imported[]; variables: string[]; scripts: string[] };

type Named = { name: string; value: string; enabled?: boolean };
const textOf = ({ name, value }: Named) => `${name}: ${value}`;

/** What every tool should have. */
export const ofPostman = ({ variable, item }: Collection): Import => {
  const entries = item.flatMap((folder) => folder.item);
  return {
    requests: entries.map(({ name, request }) => ({
      ...{ name, method: request.method, url: request.url.raw },
      headers: request.header.map(({ key, value }) => `${key}: ${value}`),
      body: bodyIn(request),
      auth: [
        request.auth.type,
        ...[...(request.auth.basic ?? []), ...(request.auth.bearer ?? [])].map(({ value }) => value),
      ],
    })),
    variables: variable.map(({ key }) => key),
    scripts: entries.flatMap(({ event }) => event.flatMap(({ script }) => script.exec)),
  };
};

const bodyIn = ({ body }: Request) =>
  body?.mode === 'urlencoded' ? body.urlencoded.map(({ key, value }) => `${key}: ${value}`) : body?.raw;

type BrunoItem = {
  name: string;
  items?: BrunoItem[];
  request?: {
    method: string;
    url: string;
    headers: Named[];
    body: { mode: string; json: string | null; formUrlEncoded: Named[] };
    auth: {
      mode: string;
      basic: { username: string; password: string } | null;
      bearer: { token: string } | null;
    };
    script: { req?: string; res?: string };
  };
};

/** The collection that Bruno's converter makes. */
export type Bruno = { items: BrunoItem[]; root: { request: { vars: { req: Named[] } } } };

export const ofBruno = ({ items, root }: Bruno): Import => {
  const requests = items.flatMap((folder) => folder.items ?? []);
  return {
    requests: requests.flatMap(({ name, request }) => (request ? [brunoRequest(name, request)] : [])),
    variables: root.request.vars.req.map(({ name }) => name),
    scripts: requests.flatMap(({ request }) => [request?.script.req ?? '', request?.script.res ?? '']),
  };
};

const brunoRequest = (
  name: string,
  { method, url, headers, body, auth }: NonNullable<BrunoItem['request']>,
) => ({
  ...{ name, method, url },
  headers: headers.filter(({ enabled }) => enabled).map(textOf),
  body: body.mode === 'formUrlEncoded' ? body.formUrlEncoded.map(textOf) : (body.json ?? undefined),
  auth: [
    auth.mode === 'none' ? 'noauth' : auth.mode,
    ...Object.values(auth.basic ?? {}),
    ...Object.values(auth.bearer ?? {}),
  ],
});

type InsomniaResource = {
  _type: string;
  name: string;
  method: string;
  url: string;
  headers: Named[];
  body: { text?: string; params?: Named[] };
  authentication: { type?: string; username?: string; password?: string; token?: string };
  environment?: Record<string, string>;
};

/** The resources that Insomnia's importer makes: the collection's folder is the first. It takes no scripts. */
export type Insomnia = InsomniaResource[];

export const ofInsomnia = (resources: Insomnia): Import => ({
  requests: resources
    .filter(({ _type }) => _type === 'request')
    .map(
      ({
        name,
        method,
        url,
        headers,
        body,
        authentication: { type = 'noauth', username, password, token },
      }) => ({
        ...{ name, method, url },
        headers: headers.map(textOf),
        body: body.params ? body.params.map(textOf) : body.text,
        auth: [type, ...[username, password, token].filter((value) => value !== undefined)],
      }),
    ),
  variables: Object.keys(resources[0]?.environment ?? {}),
  scripts: [],
});

/** What is not as it should be, a sentence each. */
export const differences = (imported: Import, wanted: Import): string[] => {
  const other = wanted.requests.filter(
    (request, index) => JSON.stringify(imported.requests[index]) !== JSON.stringify(request),
  );
  const used = JSON.stringify(imported.requests).matchAll(/\{\{(\w+)\}\}/g);
  const unknown = [...used].map(([, name = '']) => name).filter((name) => !imported.variables.includes(name));
  return [
    ...(imported.requests.length === wanted.requests.length ? [] : [`${imported.requests.length} requests`]),
    ...other.map(({ name }) => `${name} arrived otherwise`),
    ...[...new Set(unknown)].map((name) => `nothing says what ${name} is`),
    ...(imported.scripts.some((script) => script.includes('pm.')) ? ['a script was not translated'] : []),
  ];
};
