import type { Verdict } from './evidence.ts';
import { type Timeline, uuidIn } from './timeline.ts';

/** EV-11: created and deleted before anything was sent; of an import nothing needs to be sent, it was in lists before. */
export const isUnheard = ({ life, publications }: Timeline, uuid: string, version: number): boolean => {
  const { beganAs, changes = [] } = life(uuid) ?? {};
  const change = changes[version - 1];
  if (change?.state.isDeleted !== 1 || change.state.status !== 0 || beganAs === 'imported') return false;
  return !publications.some((one) => one.uuid === uuid && one.atMs <= change.atMs);
};

/** EV-11: nobody is notified of it. */
export const theUnheardStaysSo = (timeline: Timeline): Verdict[] =>
  timeline.sent
    .filter(({ type, body, to }) => type === 'TransactionUpdated' && isUnheard(timeline, uuidIn(body), to))
    .map(({ body, atMs, clientId, to }) => ({
      ...{ invariant: 'EV-11 (oracle)', uuid: uuidIn(body), atMs },
      what: `${clientId} is notified of version ${to}, a deletion of what it never heard of`,
    }));
