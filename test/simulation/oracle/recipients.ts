import type { Sent, Verdict } from './evidence.ts';
import { isMeantFor, mayBeSent } from './rules.ts';
import { type Moment, type Timeline, uuidIn } from './timeline.ts';

/** I9: who was sent a message was allowed to have it, at some instant while it was under way. */
export const onlyThoseWhoMayAreSent = (timeline: Timeline): Verdict[] =>
  timeline.sent.flatMap((sent) => {
    const { clientId, body, atMs } = sent;
    const uuid = uuidIn(body);
    const moments = momentsBefore(timeline, sent);
    return faultsIn(moments, sent).map((fault) => ({
      ...{ invariant: 'I9 (oracle)', uuid, atMs },
      what: `sent to ${clientId}, ${fault}`,
    }));
  });

/** While a message may have been under way. */
export const momentsBefore = (timeline: Timeline, { clientId, body, atMs }: Sent): readonly Moment[] =>
  timeline.momentsIn(clientId, uuidIn(body), { fromMs: atMs - timeline.terms.graceMs, toMs: atMs });

const faultsIn = (moments: readonly Moment[], { to, body }: Sent): string[] => [
  ...(moments.some(({ partner, state }) => mayBeSent(partner, state?.ndMeta)) ? [] : ['which may not be']),
  ...(moments.every(({ state, version }) => state?.isDeleted === 1 && version > to)
    ? ['after the transaction was deleted']
    : []),
  ...(body.includes('canary-token') && !moments.some(({ partner }) => partner?.showsPaymentTokens)
    ? ['with a payment token']
    : []),
];

/** I9: an event's recipients are exactly the partners that may be notified of the transaction. */
export const onlyThoseWhoMayAreMeant = (timeline: Timeline): Verdict[] =>
  timeline.publications.flatMap(({ id, uuid, atMs, clientIds }) =>
    clientIds
      .filter((clientId) => {
        const span = { fromMs: atMs - timeline.terms.graceMs, toMs: atMs };
        return !timeline
          .momentsIn(clientId, uuid, span)
          .some(({ partner, state }) => isMeantFor(partner, state?.ndMeta));
      })
      .map((clientId) => ({
        ...{ invariant: 'I9 (oracle)', uuid, atMs },
        what: `${id} is meant for ${clientId}, which may not be sent`,
      })),
  );
