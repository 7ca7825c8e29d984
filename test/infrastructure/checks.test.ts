import { describe, expect, test } from '@jest/globals';
import { stageNames } from '../../lib/config.ts';
import { ask } from '../support/engine/synthesis.ts';

const checked = await Promise.all(
  stageNames.map(async (stage) => [stage, await ask('checks', stage)] as const),
);
const packs = ['AwsSolutions', 'Serverless'];
const cases = checked.flatMap(([stage, { findings }]) =>
  packs.map((pack) => [stage, pack, findings] as const),
);

test.each(cases)('S-65 stage %s has no finding of %s without a reason', (_stage, pack, findings) => {
  expect(findings.filter((one) => one.pack === pack)).toEqual([]);
});

describe.each(checked)('S-65 acknowledged findings of stage %s', (stage, { acknowledged, hidden }) => {
  const reasonsOf = (rule: string) =>
    acknowledged.filter(({ id }) => id === rule).map(({ path, reason }) => [path.split('/').at(-1), reason]);

  test('exist: no acknowledgement outlives its finding', () => {
    const stale = acknowledged.filter(
      ({ id, path }) => !hidden.some((one) => one.rule === id && `${one.path}/`.startsWith(`${path}/`)),
    );

    expect(acknowledged.length).toBeGreaterThan(40);
    expect(stale).toEqual([]);
  });

  test('has a reason in one sentence', () => {
    for (const { id, reason } of acknowledged)
      expect([id, reason]).toEqual([id, expect.stringMatching(/^[A-Z].{20,}\.$/)]);
  });

  test('S-78 describes the firewall correctly', () => {
    const missing = 'Production has a firewall (S-78); this stage is for trials, and an emulator has none.';
    const apis = ['Api', 'Api'].map((name) => [name, missing]);

    expect(reasonsOf('AwsSolutions-APIG3')).toEqual(stage === 'production' ? [] : apis);
  });

  test('TOK-3 describes rotations correctly', () => {
    const reason =
      stage === 'production'
        ? 'The schedule of its rotation stands in the service stack, with the function that does it (lib/constructs/stores/signing-keys.ts).'
        : 'In this stage it is rotated by command alone (docs/keys.md), so that tests and rehearsals know when.';

    expect(reasonsOf('AwsSolutions-SMG4')).toEqual([
      ['AccessKeys', reason],
      ['SessionKeys', reason],
      ['Pepper', reason],
    ]);
  });
});
