import type { OperatorDeps } from '../../../bin/operator/deps.ts';

/** The methods that change something in the operator's stores, or wake `keep-endpoints`. */
const changing = new Set([
  ...['create', 'update', 'replaceSecrets', 'endTokens', 'rotateSignature', 'remove'],
  ...['stop', 'start', 'send', 'wait'],
]);

/** Stores that allow `count` changes, messages and waits, and fail at the next, as if the tool died there. */
export const dyingAfter = (count: number, deps: OperatorDeps): OperatorDeps => {
  let left = count;
  const mortal = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (!changing.has(String(name)) || typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          if (left === 0) throw new Error('It died here');
          left -= 1;
          return member.apply(target, args);
        };
      },
    });
  return {
    ...deps,
    partners: mortal(deps.partners),
    webhookSwitch: mortal(deps.webhookSwitch),
    endpointRequests: mortal(deps.endpointRequests),
    wait: mortal({ wait: deps.wait }).wait,
  };
};
