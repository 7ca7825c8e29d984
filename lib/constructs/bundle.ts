import { join } from 'node:path';
import { type BuildOptions, type BuildResult, buildSync } from 'esbuild';

/** The folder of the repository. */
export const root = join(import.meta.dirname, '../..');

/** The folders under `functions/` that are deployed. */
export type FunctionName =
  | 'capture-change'
  | 'collect-dead-letters'
  | 'issue-token'
  | 'keep-endpoints'
  | 'probe-endpoint'
  | 'publish-dormant'
  | 'reconcile'
  | 'rotate-keys'
  | 'serve-docs'
  | 'sweep-expired'
  | 'v1-transaction'
  | 'v2-partner'
  | 'v2-read'
  | 'v2-write';

/**
 * Bundles a program into one CommonJS file that exports its `handler`. The SDK is bundled as published, but for its
 * credential chain.
 */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  format: 'cjs',
  define: { 'import.meta.dirname': '__dirname' },
  // `import` and `require` of a Node module read all its exports, and those of node:http load undici: 11 ms of a start.
  banner: { js: '"use strict";require=process.getBuiltinModule;' },
  supported: { 'dynamic-import': false },
  // The chain tries files, web identities and metadata services. A function has its credentials in the environment.
  alias: {
    '@aws-sdk/credential-provider-node': './functions/shared/runtime/sdk/environment-credentials.ts',
  },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;

/** Bundles one function with its SDK, and returns esbuild's result, which lists the bundled modules (S-72). */
export const bundleInto = (folder: string, name: FunctionName): BuildResult<typeof bundleOptions> =>
  buildSync({
    ...bundleOptions,
    entryPoints: [join('functions', name, 'index.ts')],
    outfile: join(folder, 'index.cjs'),
  });
