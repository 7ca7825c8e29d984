/** A run of a part of a file skips hooks that would tidy up; a whole one leaves nothing behind. */
export default ({ testNamePattern }) => {
  const left = globalThis.closeTemporaryFolder();
  if (left.length > 0 && !testNamePattern)
    throw new Error(`Tests left this behind in the temporary folder: ${left.join(', ')}`);
};
