import type { RevokedSessions } from '../../../bin/operator/store/revoked-sessions.ts';

/** Sessions that were ended, with the time until when that is remembered: for tests. */
export const createMemoryRevokedSessions = (): RevokedSessions & { ended: Map<string, Date> } => {
  const ended = new Map<string, Date>();
  return {
    ended,
    revoke: async (sessionId, { until }) => void ended.set(sessionId, until),
  };
};
