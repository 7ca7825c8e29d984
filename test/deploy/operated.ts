import assert from 'node:assert/strict';
import { at, text } from './answers.ts';
import { shopOrigin } from './buyer-checks.ts';
import { importedCount, writeImportFile } from './estate.ts';
import type { Operator } from './operator.ts';
import type { Report } from './report.ts';
import type { Credentials } from './token-checks.ts';

/** The operator's part of a partner's first ten minutes (RUN-4, RUN-5, RUN-6). */
export const operate = async (report: Report, operator: Operator): Promise<Credentials> => {
  const credentials = await report.need('RUN-5: the operator creates a partner of one group', async () => {
    const words = ['--name', 'Harbour systems', '--grant', 'group=harbour'];
    const created = await operator('partner', 'create', ...words, '--oauth-scopes', 'nop2/read nop2/write');
    return { clientId: text(at(created, 'clientId')), clientSecret: text(at(created, 'clientSecret')) };
  });

  await report.need('RUN-6: the operator registers a storefront of the group', () => {
    const owner = ['--group', 'harbour', '--franchise', 'harbour-cars', '--location', 'quay-1'];
    const rest = [
      '--branch',
      'Branch quay-1',
      '--group-software',
      'harbour-software',
      '--origin',
      shopOrigin,
    ];
    return operator('storefront', 'create', '--name', 'Harbour shop', ...owner, ...rest);
  });

  const file = writeImportFile();
  await report.need('RUN-4: the operator imports the transactions of two groups', async () => {
    const summary = await operator('transactions', 'import', file);
    assert.equal(at(summary, 'imported'), importedCount, JSON.stringify(summary));
    assert.deepEqual(at(summary, 'refused'), []);
  });

  await report.prove('RUN-4: the same file again changes nothing', async () => {
    const summary = await operator('transactions', 'import', file);
    assert.deepEqual([at(summary, 'imported'), at(summary, 'unchanged')], [0, importedCount]);
  });

  return credentials;
};
