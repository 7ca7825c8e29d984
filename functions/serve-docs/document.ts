/** Placeholders in the documents for the stage's own addresses. */
export const exampleAddresses = {
  baseUrl: 'https://api.transactions.example',
  authUrl: 'https://auth.transactions.example',
} as const;

/** Stands before the path of a link within the site, because a gateway may add the name of its stage to paths. */
export const basePathMark = '/__base__';

/** The only file without an ending that is not a page. */
const catalog = '/.well-known/api-catalog';

/** The media type of a file by its ending. All are text. */
const types: Record<string, string> = {
  html: 'text/html; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
  js: 'text/javascript; charset=UTF-8',
  mjs: 'text/javascript; charset=UTF-8',
  json: 'application/json; charset=UTF-8',
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  md: 'text/markdown; charset=UTF-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=UTF-8',
};

const endingOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1] ?? '';

/** The file of a path within the folder of the site. None if the path could lead out of it. */
export const fileOf = (path: string): string | undefined => {
  if (!/^(\/[\w.-]+)+$/.test(path) || path.includes('..')) return undefined;
  if (path === catalog) return `${catalog}.linkset`;
  return endingOf(path) in types ? path : `${path}.html`;
};

export const typeOf = (file: string): string => types[endingOf(file)] ?? 'text/plain; charset=UTF-8';

/** Whether the file's name depends on its content, so that it can be cached for ever. */
export const isHashed = (file: string): boolean => file.startsWith('/docs/_astro/');

/** The addresses of this stage. */
type StageAddresses = { baseUrl: string; authUrl: string };

/** The text with the addresses of a stage. */
export const ofStage = (text: string, { baseUrl, authUrl }: StageAddresses): string =>
  text
    .replaceAll(exampleAddresses.baseUrl, baseUrl)
    .replaceAll(exampleAddresses.authUrl, authUrl)
    .replaceAll(basePathMark, new URL(baseUrl).pathname.replace(/\/$/, ''));
