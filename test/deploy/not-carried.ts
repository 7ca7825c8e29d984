/** Checks of the smoke test that MiniStack cannot pass, and why. */
export const notCarried: Readonly<Record<string, string>> = {
  'S-75 TH-10 a body of more than 10 MB is 413, with a Request-Id':
    "MiniStack's gateway takes a body of any size",
  'D-41 a long answer is compressed for who accepts it, and plain for who does not':
    'MiniStack accepts minCompressionSize and compresses nothing',
};
