/** Requests each value while the reader works on the one before it. Ends the source when the reader ends. */
export async function* readAhead<Value>(values: AsyncGenerator<Value>): AsyncGenerator<Value> {
  let next = ask(values);
  try {
    for (let found = await next; !found.done; found = await next) {
      next = ask(values);
      yield found.value;
    }
  } finally {
    await values.return(undefined);
  }
}

/** A fault is thrown when its value is read, not as an unhandled rejection before. */
const ask = <Value>(values: AsyncGenerator<Value>): Promise<IteratorResult<Value>> => {
  const next = values.next();
  next.catch(() => {});
  return next;
};
