import type { Delivery, TimelineStep } from '../../../functions/shared/domain/event/delivery.ts';
import type { Made, Standing } from '../../../functions/shared/domain/event/finding.ts';

/** The bus tries for a day; an hour later its last dead letter has come (events 4). */
const silenceMs = 25 * 60 * 60 * 1000;

/** Where a delivery stands now. `made` is what is known of its event. */
export const standingOf = (delivery: Delivery, made: Made, nowMs: number): Standing => {
  const { state, dueAtMs, claimedAtMs, refusals, reason = 'UNKNOWN' } = delivery;
  const last = (step: TimelineStep) => delivery.timeline.findLast((entry) => entry.step === step);
  const at = (step: TimelineStep) => last(step)?.atMs ?? claimedAtMs;
  const noteOf = (step: TimelineStep) => {
    const note = last(step)?.note;
    return note === undefined ? {} : { note };
  };
  switch (state) {
    case 'READY':
      return dueAtMs === undefined
        ? { ...made, code: 'BEING_SENT' }
        : { ...made, code: 'ARMED', atMs: dueAtMs };
    case 'HELD':
      return { ...made, code: 'KEPT' };
    case 'ACCEPTED': {
      const atMs = at('accepted');
      const note = lastAttemptNote(delivery);
      if (note !== undefined) return { ...made, code: 'NOT_TAKEN_YET', atMs, note };
      return { ...made, code: nowMs - atMs > silenceMs ? 'NO_FAILURE_REPORTED' : 'ACCEPTED', atMs };
    }
    case 'DELIVERED':
      return { ...made, code: 'DELIVERED', atMs: at('delivered') };
    case 'DEAD':
      if (reason === 'REFUSED_BY_BUS') return { ...made, code: 'REFUSED_BY_BUS', refusals };
      return {
        ...made,
        ...{ code: 'DEAD', reason, ...noteOf('dead') },
        ...(dueAtMs !== undefined && { nextTryAtMs: dueAtMs }),
      };
    case 'SUPPRESSED':
      return { ...made, code: 'NOT_SENT', reason, ...noteOf('suppressed'), atMs: at('suppressed') };
    default:
      return state satisfies never;
  }
};

/** Of this sending: what is armed again begins anew. The bus may try before the ledger has its acceptance. */
const lastAttemptNote = ({ timeline }: Delivery): string | undefined => {
  const sentAgain = timeline.findLastIndex(({ step }) => step === 'armed');
  return timeline.slice(sentAgain + 1).findLast(({ step }) => step === 'attempted')?.note;
};
