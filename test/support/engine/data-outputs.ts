import { expect } from '@jest/globals';

/** How the service stack reads what the data stack made: by the name of an output that contains these words. */
export const readsOfData = (words: string | RegExp) => ({
  'Fn::GetStackOutput': expect.objectContaining({
    StackName: expect.stringMatching(/^transactions-\w+-data$/),
    OutputName: expect.stringMatching(words),
  }),
});
