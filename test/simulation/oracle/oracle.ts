import { whoMaySeeItIsNotified, whoMaySeeItIsNotifiedOfCompletion } from './completeness.ts';
import { theUnheardStaysSo } from './deletions.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { messagesAreAsDocumented, messagesSayWhatChanged, onlyTheTooLargeIsLeftOut } from './messages.ts';
import { onlyThoseWhoMayAreMeant, onlyThoseWhoMayAreSent } from './recipients.ts';
import { type Timeline, timelineOf } from './timeline.ts';
import { allAreSentInTime, messagesFollowRest, updatesAreApart } from './timing.ts';

const judgements: ((timeline: Timeline) => Verdict[])[] = [
  onlyThoseWhoMayAreSent,
  onlyThoseWhoMayAreMeant,
  messagesAreAsDocumented,
  messagesSayWhatChanged,
  onlyTheTooLargeIsLeftOut,
  messagesFollowRest,
  updatesAreApart,
  allAreSentInTime,
  theUnheardStaysSo,
  whoMaySeeItIsNotified,
  whoMaySeeItIsNotifiedOfCompletion,
];

/**
 * Judges what is seen from outside by the interface document alone (sections 2, 6 and 8) and its readings in
 * docs/rules.md (EV-1 to EV-11, I1 to I18). Shares no code with the product, so that no fault judges itself.
 */
export const judge = (evidence: Evidence): Verdict[] => {
  const timeline = timelineOf(evidence);
  return judgements.flatMap((judgement) => judgement(timeline));
};
