import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, type BuildResult, buildSync } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** Names of the folders under `functions/` that are deployed. */
export type FunctionName =
  | 'capture-change'
  | 'collect-dead-letters'
  | 'create-keys'
  | 'issue-token'
  | 'publish-dormant'
  | 'reconcile'
  | 'sweep-untouched'
  | 'v1-transaction'
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
  // What functions never use of the SDK, which is more than a third of it to load.
  alias: {
    '@aws-sdk/credential-provider-node': './functions/shared/runtime/sdk/environment-credentials.ts',
    '@aws-sdk/middleware-endpoint-discovery': './functions/shared/runtime/sdk/no-endpoint-discovery.ts',
    '@smithy/core/checksum': './functions/shared/runtime/sdk/node-checksums.ts',
  },
  // Imported when an operation streams events; none that we call does.
  external: ['@smithy/core/event-streams'],
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;

/** Bundles one function, SDK included, and says what went into it (S-72). */
export const bundleInto = (folder: string, name: FunctionName): BuildResult<typeof options> =>
  buildSync({
    ...options,
    entryPoints: [join('functions', name, 'index.ts')],
    outfile: join(folder, 'index.mjs'),
  });

/** The bundled function as an asset of the cloud assembly; made in this process, so neither Docker nor a shell is needed. */
export const bundledCode = (name: FunctionName): Code =>
  Code.fromAsset(join(root, 'functions', name), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('never-used'),
      local: {
        tryBundle: (folder) => {
          bundleInto(folder, name);
          return true;
        },
      },
    },
  });
