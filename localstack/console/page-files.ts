import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

export type PageFile = { type: string; body: string };

const folder = join(import.meta.dirname, 'page');
const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  ts: 'text/javascript; charset=utf-8',
};

/** The files of the page by name, ready for a browser: of scripts only the types are removed. */
export const readPageFiles = (): ReadonlyMap<string, PageFile> =>
  new Map(
    readdirSync(folder).flatMap((name): [string, PageFile][] => {
      const type = types[name.split('.').at(-1) ?? ''];
      if (type === undefined) return [];
      const text = readFileSync(join(folder, name), 'utf8');
      return [[name, { type, body: name.endsWith('.ts') ? withoutTypes(text) : text }]];
    }),
  );

const withoutTypes = (text: string): string => {
  const { emitWarning } = process;
  // Node runs this file by the same function, but warns at a direct call that it is experimental.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
};
