import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type FileGlobals, giveGlobals } from './globals.ts';

const require = createRequire(import.meta.url);
// As jest asks for it: its types are those of CommonJS.
const Runtime: typeof import('jest-runtime').default = require('jest-runtime').default;
const ourGlobals = new URL('globals.ts', import.meta.url).href;

enableCompileCache(process.env.NODE_COMPILE_CACHE);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: ourGlobals, shortCircuit: true } : next(specifier, context),
});

let files = 0;

/**
 * Lets Node load the files of tests and all that they import, as it does outside of tests: each module once for a process.
 * Jest loads and runs them anew for every file, in a realm of its own, which took a third of the processor's time.
 */
export default class NativeRuntime extends Runtime {
  /** Its runner keeps the tests that it was told of: a new one for each file. */
  override requireInternalModule<Exports>(path: string): Exports {
    delete require.cache[path];
    return require(path);
  }

  /** With a number, so that what sets up each file runs for each. */
  override unstable_importModule(path: string): Promise<never> {
    giveGlobals(this.requireModuleOrMock<FileGlobals>(path, '@jest/globals'));
    files += 1;
    return import(`${pathToFileURL(path).href}?${files}`) as Promise<never>;
  }
}
