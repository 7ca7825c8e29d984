import { join } from 'node:path';
import { type BuildOptions, type BuildResult, buildSync } from 'esbuild';

/** The folder of the project. */
export const root = join(import.meta.dirname, '../..');

/** The folders under `functions/` that are deployed. */
export type FunctionName =
  | 'capture-change'
  | 'collect-dead-letters'
  | 'issue-token'
  | 'publish-dormant'
  | 'reconcile'
  | 'rotate-keys'
  | 'serve-docs'
  | 'sweep-untouched'
  | 'v1-transaction'
  | 'v2-partner'
  | 'v2-read'
  | 'v2-write';

const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  // Parts of the SDK that the functions never use, more than a third of what it would load.
  alias: {
    '@aws-sdk/credential-provider-node': './functions/shared/runtime/sdk/environment-credentials.ts',
    '@aws-sdk/middleware-endpoint-discovery': './functions/shared/runtime/sdk/no-endpoint-discovery.ts',
    '@smithy/core/checksum': './functions/shared/runtime/sdk/node-checksums.ts',
  },
  // Needed only by operations that stream events, and we call none.
  external: ['@smithy/core/event-streams'],
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;

/** Bundles one function with its SDK, and returns what went into the bundle (S-72). */
export const bundleInto = (folder: string, name: FunctionName): BuildResult<typeof options> =>
  buildSync({
    ...options,
    entryPoints: [join('functions', name, 'index.ts')],
    outfile: join(folder, 'index.mjs'),
  });
