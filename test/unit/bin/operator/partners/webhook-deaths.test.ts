import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import type { OperatorDeps } from '../../../../../bin/operator/deps.ts';
import { endpointWishOf } from '../../../../../functions/shared/domain/endpoint-wish.ts';
import { mortalAfter } from '../../../../support/operator/mortal.ts';
import { operate } from '../../../../support/operator/operator.ts';
import { begin, createPartner, run, stage, useTool, workspace } from '../../../../support/operator/tool.ts';

useTool();

/** Each command of more than one change, and what was done before it. */
const commands: [string, string][] = [
  ['partner set-webhook acme --url https://acme.example/2', ''],
  ['partner set-webhook acme --url https://acme.example/2', 'partner remove-webhook acme'],
  ['partner remove-webhook acme', 'partner pause acme'],
  ['partner pause acme', ''],
  ['partner resume acme', 'partner pause acme'],
  ['partner disable acme', ''],
  ['partner enable acme', 'partner disable acme'],
  ['partner rotate-signature acme --finish', 'partner rotate-signature acme'],
  ['partner delete acme', ''],
];

const arrange = async (before: string) => {
  begin();
  await createPartner('acme', '--webhook-url', 'https://acme.example/hook');
  if (before) await run(`${before} --yes`);
};

/** What keep-endpoints works by. A time and a value are of the run that made them. */
const wishNow = async () => {
  const partner = await stage.deps.partners.byName('acme');
  const { wanted, url } = endpointWishOf(partner, (await stage.deps.webhookSwitch.read()) !== undefined);
  const hasNext = partner?.nextSignatureMadeAtMs !== undefined;
  return { wanted, url, isThere: partner !== undefined, hasNext };
};

/** The methods that change something in the operator's stores, or wake `keep-endpoints`. */
const changing = 'create update replaceSecrets endTokens rotateSignature remove send wait'.split(' ');

/** Stores that allow `left` changes, messages and waits, and fail at the next, as if the tool died there. */
const dyingAfter = (left: number): OperatorDeps => {
  const mortal = mortalAfter(left);
  const { partners, endpointRequests, wait } = stage.deps;
  return {
    ...stage.deps,
    partners: mortal(partners, changing),
    endpointRequests: mortal(endpointRequests, changing),
    wait: mortal({ wait }, changing).wait,
  };
};

/** More changes, messages and waits than any command makes. */
const most = 20;

test.each(commands)(
  'S-28 %s that dies after "%s" is completed by a second run, or has changed nothing',
  async (command, before) => {
    await arrange(before);
    const former = await wishNow();
    expect((await run(`${command} --yes`)).exitCode).toBe(0);
    const wanted = await wishNow();

    let deaths = 0;
    for (; deaths <= most; deaths += 1) {
      await arrange(before);
      const died = await operate(dyingAfter(deaths), workspace.stackFile, `${command} --yes`.split(' '));
      if (died.exitCode === 0) break;
      expect(died.noted).toContain('It died here');
      const left = await wishNow();
      const isBetween = command.includes('delete') && left.wanted === 'none';
      if (!isBetween) expect([former, wanted]).toContainEqual(left);
      await stage.keeper.work();
      if (isDeepStrictEqual(left, wanted)) continue;
      expect((await run(`${command} --yes`)).exitCode).toBe(0);
      expect(await wishNow()).toEqual(wanted);
    }
    expect(deaths).toBeGreaterThan(1);
    expect(deaths).toBeLessThan(most);
  },
);
