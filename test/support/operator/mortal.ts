/** Wraps stores so that, taken together, they allow `left` calls of the named methods and fail at the next. */
export const mortalAfter = (left: number) => {
  let callsLeft = left;
  return <Store extends object>(store: Store, changing: string[]): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (!changing.includes(String(name)) || typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          if (callsLeft === 0) throw new Error('It died here');
          callsLeft -= 1;
          return member.apply(target, args);
        };
      },
    });
};
