import { namedPatch, type Patch } from '../../patch.ts';

const smoke = namedPatch('smoke', ['test/unit/bin/smoke/run.test.ts', 'test/unit/bin/smoke/checks.test.ts']);
const guest = 'bin/smoke/guest.ts';

/** Rules of the smoke test: it says what is wrong, and leaves nothing behind. */
export const patches: readonly Patch[] = [
  smoke(
    ['says-nothing', 'D-40 what does not hold fails its check'],
    ['bin/smoke/check.ts', '.find(({ holds }) => !holds)', '.find(({ holds }) => holds === undefined)'],
  ),
  smoke(
    ['empty-run', 'D-40 a run that looked at nothing has not passed'],
    ['bin/smoke/report.ts', " || !results.some(({ state }) => state === 'passed')", ''],
  ),
  smoke(
    ['keeps-transactions', 'D-40 what a run has made is deleted again'],
    [
      guest,
      'const deletions = await deleteAll(visit);',
      'const deletions = [] as Awaited<ReturnType<typeof deleteAll>>;',
    ],
  ),
  smoke(
    ['keeps-partner', 'D-40 the partner of a run goes, whatever else failed'],
    [guest, "      await operator('partner', 'delete', name, '--yes');\n", ''],
  ),
  smoke(
    ['takes-shops', 'D-40 a group that a shop has is left alone'],
    [guest, 'if (others.length > 0)', 'if (others.length > 99)'],
  ),
  smoke(
    ['looks-on', 'D-40 a run that is stopped looks no further'],
    ['bin/smoke/run.ts', 'if (!run.isStopped()) ', ''],
  ),
  smoke(
    ['token-elsewhere', 'D-40 a link that leads elsewhere is given no token'],
    ['bin/smoke/checks/reads.ts', '      if (!self.startsWith(below)) return right;\n', ''],
  ),
  smoke(
    ['new-tls-alone', 'O-56 old versions of TLS are tried as they would be taken'],
    ['bin/smoke/reach.ts', "      ciphers: 'DEFAULT@SECLEVEL=0',\n", ''],
    ['test/integration/smoke/reach.test.ts'],
  ),
];
