import { expect, test } from '@jest/globals';
import { isSignedIn, sessionOfUser } from '../../../../../functions/shared/domain/session.ts';

const ada = { issuer: 'https://id.example', subject: 'ada' };

test('V1-10 the session of a user never changes, whichever client of the provider signs the user in', () => {
  const session = 'user-GFT9gwKbhRHndqJT8dDyVwcZFf7VQp9iEfiaii3xxIg';

  expect(sessionOfUser(ada, 'key')).toBe(session);
  expect(sessionOfUser({ ...ada, audience: 'club' } as typeof ada, 'key')).toBe(session);
  expect(isSignedIn(session)).toBe(true);
});

test.each([
  ['another subject', { ...ada, subject: 'Ada' }, 'key'],
  ['another issuer', { ...ada, issuer: 'https://other.example' }, 'key'],
  ['another key', ada, 'another key'],
])('V1-10 %s has another session', (_, user, key) => {
  expect(sessionOfUser(user, key)).not.toBe(sessionOfUser(ada, 'key'));
});
