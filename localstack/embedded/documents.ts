import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesForTools } from '../../bin/docs/build.ts';
import { basePathMark } from '../../functions/serve-docs/document.ts';
import { docsFolder } from '../../lib/built-docs.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Makes the folder that `serve-docs` reads: the built site if `npm run docs` has built it from these sources, otherwise what needs
 * no build, with a page that says so. Nothing is built at a start or by a request.
 */
export const makeSite = (folder: string, built = docsFolder()): void => {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  // A junction needs no right on Windows; elsewhere it is a symbolic link.
  if (existsSync(built)) {
    symlinkSync(built, folder, 'junction');
    return;
  }
  const files = filesForTools(root);
  const guides = [...files.keys()].filter((path) => path.endsWith('.md'));
  const page = pageOf(guides);
  for (const [path, text] of [...files, ['docs.html', page] as const, ['404.html', page] as const]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
};

const pageOf = (guides: readonly string[]): string => {
  const links = ['openapi.json', 'llms.txt', ...guides].map(
    (path) => `<li><a href="${basePathMark}/${path}">${path}</a></li>`,
  );
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<title>Documents of Transactions</title><h1>Documents</h1>' +
    '<p>The site is not built. Run <code>npm run docs</code>, and start the stage again. These need no build:</p>' +
    `<ul>${links.join('')}</ul></html>\n`
  );
};
