import NativeEnvironment from '../support/run/native/environment.mjs';

/** Mutated modules stay loaded and read the variable once; later mutants reach them through the object that they keep. */
export default class MutationEnvironment extends NativeEnvironment {
  async setup() {
    globalThis.__stryker__ ??= {};
    globalThis.__stryker__.activeMutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  }
}
