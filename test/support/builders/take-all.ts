/** All values of an iteration. */
export const takeAll = async <Value>(values: AsyncIterable<Value>): Promise<Value[]> => {
  const taken: Value[] = [];
  for await (const value of values) taken.push(value);
  return taken;
};
