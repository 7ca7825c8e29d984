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

/** What a tool made of a collection (`importers.mjs`); scripts are those that set variables and test answers. */
export type Import = { requests: Imported[]; variables: string[]; scripts: string[] };

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
