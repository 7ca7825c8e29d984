import { namedPatch, type Patch } from '../patch.ts';

const token = 'functions/shared/auth/session-token.ts';
const session = 'functions/shared/domain/session.ts';

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
];
