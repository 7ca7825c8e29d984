import type { RevokedSessions } from '../../../bin/operator/store/session-ends.ts';
import type { SessionEnd } from '../../../functions/shared/domain/session.ts';
import type { SessionEnds } from '../../../functions/shared/store/sessions/session-record.ts';

export type MemorySessions = SessionEnds & RevokedSessions & { ends: Map<string, SessionEnd> };

/** The ends of sessions in a map: for tests. */
export const createMemorySessions = (): MemorySessions => {
  const ends = new Map<string, SessionEnd>();
  return {
    ends,
    endOf: async (sessionId) => ends.get(sessionId),
    endBySignIn: async (sessionId, movedTo, now) => {
      const end = ends.get(sessionId) ?? { endedAtMs: now.getTime(), movedTo };
      ends.set(sessionId, end);
      return end;
    },
    revoke: async (sessionId, endedAt) => void ends.set(sessionId, { endedAtMs: endedAt.getTime() }),
  };
};
