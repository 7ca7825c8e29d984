/** What stands in every document where a stage has its own addresses. */
export const exampleAddresses = {
  baseUrl: 'https://api.transactions.example',
  authUrl: 'https://auth.transactions.example',
} as const;

/** What stands before the path of a link within the site: a gateway may have put the name of its stage there. */
export const basePathMark = '/__base__';

/** The only document without an ending that is not a page. */
const catalog = '/.well-known/api-catalog';

/** The media type of a file of the site, by its ending: all of them are text. */
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

/** The file of a path within the folder of the site; none where a path could lead out of it. */
export const fileOf = (path: string): string | undefined => {
  if (!/^(\/[\w.-]+)+$/.test(path) || path.includes('..')) return undefined;
  if (path === catalog) return `${catalog}.linkset`;
  return endingOf(path) in types ? path : `${path}.html`;
};

export const typeOf = (file: string): string => types[endingOf(file)] ?? 'text/plain; charset=UTF-8';

/** Whether a file says by its name what is in it, so that it may be kept for ever. */
export const isHashed = (file: string): boolean => file.startsWith('/docs/_astro/');

/** Where callers reach this stage. */
type StageAddresses = { baseUrl: string; authUrl: string };

/** The text with the addresses of a stage. */
export const ofStage = (text: string, { baseUrl, authUrl }: StageAddresses): string =>
  text
    .replaceAll(exampleAddresses.baseUrl, baseUrl)
    .replaceAll(exampleAddresses.authUrl, authUrl)
    .replaceAll(basePathMark, new URL(baseUrl).pathname.replace(/\/$/, ''));
