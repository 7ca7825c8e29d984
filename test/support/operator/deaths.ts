import type { OperatorDeps } from '../../../bin/operator/deps.ts';
import { createPartnerEndpoints } from '../../../functions/shared/outbound/endpoint/endpoints.ts';
import { type MemoryEventBridge, watchedEventBridge } from '../memory/event-bridge.ts';
import { place } from './operator.ts';

/** The methods that change something in the operator's stores. */
const changing = new Set([
  ...['create', 'update', 'replaceSecrets', 'endTokens', 'replaceSignature', 'remove'],
  ...['move', 'addMissing', 'lease', 'recordAttempt'],
]);

/** Stores and a bus that allow `count` changes and fail at the next, as if the tool died there. */
export const dyingAfter = (
  count: number,
  { deps, bus }: { deps: OperatorDeps; bus: MemoryEventBridge },
): OperatorDeps => {
  let left = count;
  const spend = () => {
    if (left === 0) throw new Error('It died here');
    left -= 1;
  };
  const mortal = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (!changing.has(String(name)) || typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          spend();
          return member.apply(target, args);
        };
      },
    });
  const { client } = watchedEventBridge(bus, { beforeChange: spend });
  return {
    ...deps,
    partners: mortal(deps.partners),
    ledger: mortal(deps.ledger),
    endpoints: createPartnerEndpoints({ client, settings: place, wait: deps.wait }),
  };
};
