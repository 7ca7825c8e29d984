import { describe, expect, test } from '@jest/globals';
import type { GrantAudit } from '../../../../../functions/shared/store/partners/grant-audit.ts';
import {
  begin,
  createPartner,
  run,
  stage,
  useOperatorTool,
} from '../../../../support/operator/operator-tool.ts';

useOperatorTool();

const different = (differences: GrantAudit['differences']) => {
  const found = { partners: 2, grants: 3, differences };
  begin({ grants: { audit: async () => found, mend: async () => found } });
};

describe('GRANT-4 partner audit', () => {
  test('names each partner and grant that differ, and the exit code is 1', async () => {
    different([]);
    const { clientId } = await createPartner('acme');
    const grants = stage.deps.grants;
    const found: GrantAudit = {
      partners: 2,
      grants: 3,
      differences: [
        { clientId, grant: { group: 'G', location: 'L 7' }, found: 'missing' },
        { clientId: 'GONE', grant: { group: 'H' }, found: 'left-over' },
      ],
    };
    grants.audit = async () => found;

    const said = await run(['partner', 'audit']);
    const json = await run(['partner', 'audit', '--json']);

    expect(said.exitCode).toBe(1);
    expect(said.printed).toMatch(/│ acme +│ group=G,location=L 7 +│ missing +│/);
    expect(said.printed).toMatch(/│ GONE +│ group=H +│ left-over +│/);
    expect(said.printed).toMatch(
      /2 partners, 3 grants in the index\.\n2 differences: "partner audit --mend" mends them\.\n$/,
    );
    expect(json.exitCode).toBe(1);
    expect(JSON.parse(json.printed)).toEqual({ ...found, mended: 0 });
    expect(stage.records.map(({ command }) => command)).toEqual(['partner create']);
  });

  test('says that there is no difference with exit code 0', async () => {
    different([]);

    expect(await run(['partner', 'audit'])).toMatchObject({
      exitCode: 0,
      printed: '2 partners, 3 grants in the index.\nNo differences.\n',
    });
  });

  test('--mend is recorded, says how many it has mended, and ends with 0', async () => {
    different([{ clientId: 'P', grant: { group: 'G' }, found: 'missing' }]);

    const said = await run(['partner', 'audit', '--mend']);
    const json = await run(['partner', 'audit', '--mend', '--json']);

    expect(said.exitCode).toBe(0);
    expect(said.printed).toMatch(/3 grants in the index\.\n1 differences mended\.\n$/);
    expect(JSON.parse(json.printed)).toMatchObject({ mended: 1 });
    expect(stage.records).toMatchObject([
      { command: 'partner audit', arguments: { mend: true } },
      { command: 'partner audit', arguments: { mend: true } },
    ]);
  });

  test('shows the first hundred differences and counts all', async () => {
    different(
      Array.from({ length: 101 }, (_, index) => ({
        ...{ clientId: `P${index}`, grant: { group: 'G' }, found: 'missing' as const },
      })),
    );

    const { printed } = await run(['partner', 'audit']);

    expect(printed.match(/│ missing/g)).toHaveLength(100);
    expect(printed).toContain('101 differences: ');
  });
});
