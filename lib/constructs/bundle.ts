import { join } from 'node:path';
import { type BuildOptions, type BuildResult, buildSync } from 'esbuild';

/** The folder of the project. */
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

/** How a program becomes one file of code, which exports its `handler`, and is loaded when it is `ready`. */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  // The file is a module of Node, but asks the process for Node's own modules: an import would read each of their exports,
  // and many of those load further modules when they are first read.
  format: 'cjs',
  supported: { 'dynamic-import': false },
  // Bodies come as Node's own streams; to ask whether one is the web's would load all of those.
  define: { 'import.meta': 'bundleMeta', ReadableStream: 'undefined' },
  banner: { js: 'const module={},require=process.getBuiltinModule,bundleMeta=import.meta;' },
  footer: {
    js: 'const{handler:bundledHandler,ready:bundleReady}=module.exports;await bundleReady;export{bundledHandler as handler};',
  },
  // Parts of the SDK that the functions never use, nearly half of what it would load.
  alias: {
    '@aws-sdk/core/client': './functions/shared/runtime/sdk/plain-requests.ts',
    '@aws-sdk/credential-provider-node': './functions/shared/runtime/sdk/environment-credentials.ts',
    '@aws-sdk/middleware-endpoint-discovery': './functions/shared/runtime/sdk/no-endpoint-discovery.ts',
    '@aws-sdk/signature-v4-multi-region': './functions/shared/runtime/sdk/regional-signer.ts',
    '@aws/lambda-invoke-store': './functions/shared/runtime/sdk/no-invoke-store.ts',
    '@smithy/core/checksum': './functions/shared/runtime/sdk/node-checksums.ts',
    '@smithy/core/config': './functions/shared/runtime/sdk/environment-config.ts',
    '@smithy/core/endpoints': './functions/shared/runtime/sdk/regional-endpoint.ts',
    '@smithy/core/event-streams': './functions/shared/runtime/sdk/no-event-streams.ts',
  },
  // The clients' tables of endpoints, for which `regional-endpoint.ts` stands in: nobody asks for them.
  external: ['./bdd'],
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;

/** Bundles one function with its SDK, and returns what went into the bundle (S-72). */
export const bundleInto = (folder: string, name: FunctionName): BuildResult<typeof bundleOptions> =>
  buildSync({
    ...bundleOptions,
    entryPoints: [join('functions', name, 'index.ts')],
    outfile: join(folder, 'index.mjs'),
  });
