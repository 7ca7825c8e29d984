import { namedPatch, type Patch } from '../../patch.ts';

const token = 'functions/shared/auth/session-token.ts';
const session = 'functions/shared/domain/session.ts';
const ended = 'functions/shared/store/sessions/revoked-sessions.ts';
const stores = ['test/integration/store/revoked-sessions.test.ts'];

const patch = namedPatch('session', ['test/unit/functions/shared/auth/session-token.test.ts']);
const apis = ['test/unit/functions/v1-transaction/session.test.ts'];

/** Rules of a buyer's session and its tokens. */
export const patches: readonly Patch[] = [
  patch(
    ['chain-ends', 'V1-5 a token of a chain that is over is refused, whatever else it says'],
    [
      token,
      'session.ok && now >= chainEndsAt(session.value)',
      'session.ok && now >= session.value.expiresAt',
    ],
  ),
  patch(
    ['chain-caps', 'V1-5 no token ends later than its chain'],
    [
      token,
      'Math.min(issuedAt + sessionLifetimeSeconds, toSeconds(chainEndsAt({ beganAt })))',
      'issuedAt + sessionLifetimeSeconds',
    ],
  ),
  patch(
    ['chain-goes-on', 'V1-5 a token that is issued again is of the same chain'],
    ['functions/shared/middleware/authenticate-session.ts', 'tokens.issue(id, beganAt)', 'tokens.issue(id)'],
    apis,
  ),
  patch(
    ['chain-last-token', 'V1-5 the last token of a chain is not issued again'],
    [session, 'isInLastHalf && expiresAt < chainEndsAt(session)', 'isInLastHalf'],
    apis,
  ),
  patch(
    ['ended', 'V1-9 a session that the operator has ended is refused'],
    [
      'functions/shared/middleware/authenticate-session.ts',
      '!session.ok || (await isRevoked(session.value.id))',
      '!session.ok || ((await isRevoked(session.value.id)) && false)',
    ],
    apis,
  ),
  patch(
    ['ended-soon', 'V1-9 an ended session is known everywhere after 20 s'],
    [ended, 'revokedKeptMs = 20_000', 'revokedKeptMs = 60_000'],
    stores,
  ),
  patch(
    ['ended-forgotten', 'V1-9 what would have ended by itself is forgotten'],
    [ended, 'Number(untilMs) <= now.getTime()', 'Number(untilMs) < 0 * now.getTime()'],
    stores,
  ),
];
