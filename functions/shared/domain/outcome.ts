/** The outcome of an operation as a value: a result, or one of a closed set of reasons why there is none. */
export type Outcome<Value, Reason extends string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: Reason };

export const succeed = <Value>(value: Value) => ({ ok: true, value }) as const;
export const refuse = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
