import { namedPatch, type Patch } from '../../patch.ts';

const patch = namedPatch('guessing', ['test/unit/functions/issue-token/guessing.test.ts']);
const authenticate = 'functions/issue-token/authenticate-client.ts';
const limiter = 'functions/issue-token/guess-limiter.ts';
const domain = 'functions/shared/domain/wrong-secrets.ts';
const network = 'functions/issue-token/network.ts';
const units = ['test/integration/store/wrong-secrets.ports.test.ts'];

/** The brake on guessing secrets. */
export const patches: readonly Patch[] = [
  patch(
    ['twenty', 'O-55 twenty wrong secrets are answered'],
    [domain, '.at(-mostWrong - 1)', '.at(-mostWrong)'],
  ),
  patch(
    ['any-minute', 'O-55 any 60 s count'],
    [domain, 'atMs > nowMs - wrongSecretMs', 'atMs > nowMs - (nowMs % wrongSecretMs)'],
  ),
  patch(
    ['right-waits', 'O-55 the right secret waits too'],
    [authenticate, 'if (untilMs !== undefined) return', 'if (untilMs !== undefined && !client.ok) return'],
  ),
  patch(
    ['by-network', 'O-55 from another address it is served'],
    [limiter, '[clientId, network]', '[clientId, typeof network]'],
  ),
  patch(
    ['by-client', 'O-55 another client is not slowed'],
    [limiter, '[clientId, network]', '[typeof clientId, network]'],
  ),
  patch(
    ['remembered', 'TH-14 what a process knows to wait costs nothing'],
    [authenticate, 'if (knownUntilMs !== undefined) return', 'if (knownUntilMs === 0) return'],
  ),
  patch(
    ['right-writes-nothing', 'TH-14 a right secret reads and writes nothing'],
    [authenticate, 'client.ok ? limiter.afterRight : limiter.afterWrong', 'limiter.afterWrong'],
  ),
  patch(
    ['bounded', 'TH-14 a process remembers so many'],
    [limiter, 'deaf.size >= mostRemembered && ', 'deaf.size < 0 && '],
  ),
  patch(
    ['hashed-key', 'S-64 no key holds an address'],
    [limiter, "createHmac('sha256', pepper)", "createHmac('sha256', '')"],
  ),
  patch(['ipv6-block', 'O-55 the /64 of an address counts'], [network, '.slice(0, 4)', '.slice(0, 8)']),
  patch(
    ['no-secret-logged', 'O-59 a secret in the place of an id is not logged'],
    [authenticate, '{1,32}', '{1,64}'],
  ),
  patch(
    ['kept-short', 'O-55 old times are taken off'],
    [
      'functions/shared/store/requests/wrong-secrets.ts',
      'if (times.length > mostKept)',
      'if (times.length < 0)',
    ],
    units,
  ),
];
