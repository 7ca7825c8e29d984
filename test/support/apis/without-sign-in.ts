import { refuse } from '../../../functions/shared/domain/outcome.ts';
import { createMemorySessions } from '../memory/sessions.ts';

/** What V1 needs for sign-ins, where nobody signs in. */
export const withoutSignIn = () => ({
  sessions: createMemorySessions(),
  verifyIdToken: async () => refuse('invalid-token' as const),
  readUserKey: async () => 'the key of users',
});
