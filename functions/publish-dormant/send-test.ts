import { testEventType } from '../shared/domain/event/event.ts';
import { renderTestMessage } from '../shared/domain/event/message.ts';
import { decideRecipient } from '../shared/domain/event/recipient.ts';
import type { LogLine } from '../shared/events/rows.ts';
import type { SendDeps } from '../shared/events/send.ts';

/**
 * Sends a test by the partner's own rule and destination, as any event, and notes what came of it (V2-12). It has no row:
 * false where the bus did not answer, or the line was not written, so that the message comes again.
 */
export const sendTest = async (
  { clientId, eventId }: { clientId: string; eventId: string },
  { partners, bus, table, clock, origin }: SendDeps,
): Promise<boolean> => {
  const partner = (await partners.byClientIds([clientId])).get(clientId);
  const decision = decideRecipient(partner, 'none-needed');
  const now = clock();
  const test = { clientId, eventId, type: testEventType, from: 0, to: 0 };
  const note = async (outcome: Pick<LogLine, 'outcome' | 'reason' | 'busEventId'>) =>
    (await table.write([{ ...test, uuid: '', atMs: now.getTime(), ...outcome }])).length === 0;
  if (decision !== 'send') {
    const reason = partner?.webhookPaused ? 'PAUSED' : decision === 'hold' ? 'NOT_READY' : decision;
    return note({ outcome: 'WITHHELD', reason });
  }
  const message = renderTestMessage({ id: eventId, publishedAt: now }, origin);
  const [answer] = await bus.put([{ ...test, tries: 0, omitted: [], message }]);
  if (answer?.outcome === 'accepted') return note({ outcome: 'SENT', busEventId: answer.busEventId });
  return answer?.outcome === 'refused' && note({ outcome: 'FAILED', reason: 'REFUSED_BY_BUS' });
};
