import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

/** `npm run build:kit`: builds what is published of partner-kit into `partner-kit/dist`. */
const kit = join(import.meta.dirname, '..', 'partner-kit');
const dist = join(kit, 'dist');

const common = {
  absWorkingDir: kit,
  bundle: true,
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** The library runs wherever there is `fetch`. The neutral platform refuses modules of Node. */
const buildLibrary = () => {
  const library = { ...common, entryPoints: ['src/index.ts'], platform: 'neutral' } satisfies BuildOptions;
  buildSync({ ...library, format: 'esm', outfile: 'dist/index.js' });
  buildSync({ ...library, format: 'cjs', outfile: 'dist/index.cjs' });
};

/** The bundled `commander` is CommonJS, so the banner makes `require`; its licence must be published with it. */
const buildCommands = () => {
  const ofCommander = createRequire(join(kit, 'package.json')).resolve('commander');
  const licence = readFileSync(join(dirname(ofCommander), 'LICENSE'), 'utf8');
  const banner =
    "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);";
  for (const name of readdirSync(join(kit, 'bin'))) {
    const outfile = join(dist, 'bin', `${basename(name, '.ts')}.js`);
    buildSync({
      ...common,
      ...{ entryPoints: [join('bin', name)], platform: 'node', format: 'esm', outfile },
      ...{ banner: { js: banner }, footer: { js: `/* commander\n\n${licence}*/` } },
    });
    chmodSync(outfile, 0o755);
  }
};

/**
 * Writes the types twice: `.d.ts` for ESM and `.d.cts` for CommonJS. The compiler keeps the `.ts` of relative imports, so
 * they are rewritten to `.js` and `.cjs`.
 */
const buildTypes = () => {
  const made = mkdtempSync(join(tmpdir(), 'kit-types-'));
  try {
    const compiler = join(kit, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', kit, '--outDir', made], { stdio: 'inherit' });
    const names = readdirSync(made, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    );
    for (const name of names) writeTypes(name, readFileSync(join(made, name), 'utf8'));
  } finally {
    rmSync(made, { recursive: true });
  }
};

const writeTypes = (name: string, text: string) => {
  const file = join(dist, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.replaceAll(relativeImport, '$1.js$2'));
  writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), text.replaceAll(relativeImport, '$1.cjs$2'));
};

/** `from './client/answer.ts'` and `import("./types.ts")`. */
const relativeImport = /(['"]\.{1,2}\/[^'"]*)\.ts(['"])/g;

rmSync(dist, { recursive: true, force: true });
buildLibrary();
buildCommands();
buildTypes();
