import { refuse } from '../../../functions/shared/domain/outcome.ts';
import { createMemorySessions } from '../memory/sessions.ts';

/** The dependencies of V1 for sign-ins, in tests without any. */
export const withoutSignIn = () => ({
  sessions: createMemorySessions(),
  verifyIdToken: async () => refuse('invalid-token' as const),
  readUserKey: async () => 'the key of users',
});
