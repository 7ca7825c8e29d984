/** Splits a list into parts of at most this size, in order. */
export const chunksOf = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );

/** The same for values from an iterable. */
export async function* arrivingChunksOf<Value>(
  values: AsyncIterable<Value>,
  size: number,
): AsyncGenerator<Value[]> {
  let chunk: Value[] = [];
  for await (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
