/** What jest gives to the file that runs: a module that several files import finds those of the present one. */
export let afterAll: unknown;
export let afterEach: unknown;
export let beforeAll: unknown;
export let beforeEach: unknown;
export let describe: unknown;
export let expect: unknown;
export let jest: unknown;
export let test: unknown;

/** What is exported here, by the same names. */
export type FileGlobals = Record<
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'jest' | 'test',
  unknown
>;

/** From now on these are those of another file. */
export const giveGlobals = (given: FileGlobals) => {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = given);
};
