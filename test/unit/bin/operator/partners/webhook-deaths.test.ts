import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { endpointWishOf } from '../../../../../functions/shared/domain/endpoint-wish.ts';
import { dyingAfter } from '../../../../support/operator/deaths.ts';
import { operate } from '../../../../support/operator/operator.ts';
import { begin, createPartner, run, stage, useTool, workspace } from '../../../../support/operator/tool.ts';

useTool();

const announced = ['partner', 'rotate-signature', 'acme'];
const paused = ['partner', 'pause', 'acme'];
const set = ['partner', 'set-webhook', 'acme', '--url', 'https://acme.example/2'];
const stop = ['webhooks', 'stop'];

/** Each command, and what was done before it. */
const commands: [string[], string[] | undefined][] = [
  [set, undefined],
  [set, ['partner', 'remove-webhook', 'acme']],
  [['partner', 'remove-webhook', 'acme'], paused],
  [paused, undefined],
  [['partner', 'resume', 'acme'], paused],
  [['partner', 'disable', 'acme'], undefined],
  [
    ['partner', 'enable', 'acme'],
    ['partner', 'disable', 'acme'],
  ],
  [announced, undefined],
  [[...announced, '--finish'], announced],
  [[...announced, '--cancel'], announced],
  [['partner', 'delete', 'acme'], undefined],
  [stop, undefined],
  [['webhooks', 'start'], stop],
];

const arrange = async (before: string[] | undefined) => {
  begin();
  await createPartner('acme', '--webhook-url', 'https://acme.example/hook');
  if (before) await run([...before, '--yes']);
};

/** What keep-endpoints works by. A time and a value are of the run that made them. */
const wishNow = async () => {
  const partner = await stage.deps.partners.byName('acme');
  const { wanted, url } = endpointWishOf(partner, (await stage.deps.webhookSwitch.read()) !== undefined);
  return {
    wanted,
    url,
    isThere: partner !== undefined,
    hasNext: partner?.nextSignatureMadeAtMs !== undefined,
  };
};

/** More changes, messages and waits than any command makes. */
const most = 20;

describe('S-28 a command that dies is finished by nobody, or by a second run', () => {
  test.each(commands)('%j after %j, wherever it dies', async (args, before) => {
    await arrange(before);
    const former = await wishNow();
    expect((await run([...args, '--yes'])).exitCode).toBe(0);
    const wanted = await wishNow();

    let deaths = 0;
    for (; deaths <= most; deaths += 1) {
      await arrange(before);
      const died = await operate(dyingAfter(deaths, stage.deps), workspace.stackFile, [...args, '--yes']);
      if (died.exitCode === 0) break;
      expect(died.noted).toContain('It died here');
      const left = await wishNow();
      const isBetween = args[1] === 'delete' && left.wanted === 'none';
      if (!isBetween) expect([former, wanted]).toContainEqual(left);
      await stage.keeper.work();
      if (isDeepStrictEqual(left, wanted)) continue;
      expect((await run([...args, '--yes'])).exitCode).toBe(0);
      expect(await wishNow()).toEqual(wanted);
    }
    expect(deaths).toBeGreaterThan(1);
    expect(deaths).toBeLessThan(most);
  });
});
