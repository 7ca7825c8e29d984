import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AssetHashType, DockerImage } from 'aws-cdk-lib/core';
import { builtDocs } from './built-docs.ts';
import { bundleInto, type FunctionName, root } from './constructs/bundle.ts';

/** A function's bundle as an asset. This process makes it, so synthesis needs neither Docker nor a shell. */
export const bundledCode = (name: FunctionName): Code =>
  Code.fromAsset(join(root, 'functions', name), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('never-used'),
      local: {
        tryBundle: (folder) => {
          bundleInto(folder, name);
          if (name === 'serve-docs') cpSync(builtDocs(), join(folder, 'site'), { recursive: true });
          return true;
        },
      },
    },
  });
