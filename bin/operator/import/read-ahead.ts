/** The same values, each asked for while the one before it is worked on; what is left when their reader ends is let go. */
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

/** A fault waits until its value is wanted. */
const ask = <Value>(values: AsyncGenerator<Value>): Promise<IteratorResult<Value>> => {
  const next = values.next();
  next.catch(() => {});
  return next;
};
