import { namedPatch } from '../../patch.ts';

const settings = ['test/unit/partner-kit/command/settings.test.ts'];
const program = ['test/unit/partner-kit/command/program.test.ts'];
const attack = ['test/integration/partner-kit/attack.test.ts'];
const listen = ['test/integration/partner-kit/listen.test.ts'];

const command = namedPatch('kit-command', settings);

/** What the partner's command promises. */
export const patches = [
  command(
    ['file-mode', 'KIT-22 a file with a secret that others can read is refused'],
    ['partner-kit/src/command/settings.ts', '& 0o077', '& 0o007'],
  ),
  command(
    ['one-source', 'KIT-22 credentials come all from one place'],
    [
      'partner-kit/src/command/settings.ts',
      'return fileSettings(resolve(folder, file));',
      'return { ...fileSettings(resolve(folder, file)), ...(env.TRANSACTIONS_CLIENT_ID && { clientId: env.TRANSACTIONS_CLIENT_ID }) };',
    ],
  ),
  command(
    ['clear-text', 'KIT-22 a signature goes to no other machine by http'],
    ['partner-kit/src/command/address.ts', "url?.protocol === 'http:' && !isHere(url)", 'false'],
    program,
  ),
  command(
    ['attack-consent', 'KIT-23 a receiver on another machine is attacked only on demand'],
    ['partner-kit/src/command/attack.ts', '!isHere(url) && !options.yes', 'false'],
    program,
  ),
  command(
    ['attack-near', 'KIT-20 a value that is nearly right is tried'],
    ['partner-kit/src/attack/checks/signature.ts', 'value.slice(0, -1), ', ''],
    attack,
  ),
  command(
    ['attack-beyond', 'KIT-20 a value that goes on is tried'],
    ['partner-kit/src/attack/checks/signature.ts', '{value}x`', '{value}`'],
    attack,
  ),
  command(
    ['attack-case', 'KIT-20 a value in other letter case is tried'],
    ['partner-kit/src/attack/checks/signature.ts', ', otherCase(value)]', ']'],
    attack,
  ),
  command(
    ['ends', 'KIT-23 a command that has its answer ends'],
    ['partner-kit/bin/transactions-partner.ts', 'pause: sleep,', 'pause: (ms) => sleep(ms),'],
    ['test/integration/partner-kit/command.test.ts'],
  ),
  command(
    ['trigger-source', 'KIT-24 a sample says of which environment it is'],
    ['partner-kit/src/command/trigger.ts', 'settings.source ?? defaultSource', 'defaultSource'],
    ['test/integration/partner-kit/command.test.ts'],
  ),
  command(
    ['trigger-range', 'KIT-24 a WebhookTest has no versions'],
    ['partner-kit/src/command/trigger.ts', "type === 'WebhookTest' ? undefined : range", 'range'],
    ['test/integration/partner-kit/command.test.ts'],
  ),
  command(
    ['attack-state', 'KIT-20 what is applied again is seen by the state'],
    ['partner-kit/src/attack/checks/copies.ts', '<= before) return finding', '>= 0) return finding'],
    attack,
  ),
  command(
    ['demo-state', 'KIT-21 the demo receiver passes over what is older'],
    ['localstack/webhook-receiver/state.ts', "link !== undefined && link !== 'older'", 'link !== undefined'],
    attack,
  ),
  command(
    ['listen-copies', 'KIT-25 a copy is called one'],
    ['partner-kit/src/command/sighting.ts', "if (isSeen) see({ verdict: 'duplicate' });", ''],
    listen,
  ),
];
