import { bytesOf } from '../kernel/seeds.ts';
import { carryOut, kindOf } from './acts.ts';
import type { OpenService } from './open-service.ts';
import { startIn } from './triggers.ts';

/** Everything that callers do to transactions, each thing at its time in a process of its own. */
export const planActs = (open: OpenService) => {
  const { plan, kernel, processes, ports, service, random } = open;
  const start = startIn(open);
  const numbers = numberedApart(plan.acts.map(({ uuid }) => uuid));
  const chances = random('callers');
  for (const planned of plan.acts)
    kernel.at(planned.atMs, () =>
      start(kindOf(planned), (process) => {
        const { transactions, requests } = ports(process);
        return carryOut(planned, {
          ...{ transactions, requests },
          ids: { next: async () => numbers(planned.uuid) },
          clock: processes.clockOf(process),
          retryDelays: { random: chances.next, sleep: (ms) => processes.sleep(process, ms) },
          random: (size) => bytesOf(random('bytes', planned.uuid, planned.atMs), size),
          log: service.log,
          askForCompletion: service.askForCompletion(process),
        });
      }),
    );
};

/** Numbers that no other transaction changes, because they are fixed at creation (GRANT-3). */
const numberedApart = (uuids: readonly string[]) => {
  const last = new Map(
    [...new Set(uuids)].map((uuid) => [uuid, Number.parseInt(uuid.slice(0, 8), 16) * 1_000]),
  );
  return (uuid: string): number => {
    const next = (last.get(uuid) ?? 0) + 1;
    last.set(uuid, next);
    return next;
  };
};
