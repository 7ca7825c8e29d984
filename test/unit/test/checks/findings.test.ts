import { expect, test } from '@jest/globals';
import { accepted } from '../../../checks/accepted.ts';
import { judge } from '../../../checks/findings.ts';

const open = { check: 'CKV_AWS_59', why: 'It is public.', of: ['service/TokenApi/Api/Default/ANY'] };
const foundIn = (stage: 'local' | 'staging' | 'production', check = 'CKV_AWS_59') => ({
  ...{ check, stage },
  resource: 'service/TokenApi/Api/Default/ANY',
});

test('S-65 a finding of checkov that nobody accepted is told, and so is an accepted one that is found no more', () => {
  const found = [foundIn('local'), foundIn('staging'), foundIn('staging', 'CKV_AWS_1')];

  expect(judge(found, [open])).toEqual({
    unaccepted: ['CKV_AWS_1 in staging: service/TokenApi/Api/Default/ANY'],
    stale: ['CKV_AWS_59 in production: service/TokenApi/Api/Default/ANY'],
  });
});

test('S-65 what is accepted in one stage is not accepted in the others', () => {
  const found = [foundIn('staging'), foundIn('production')];

  expect(judge(found, [{ ...open, stages: ['staging'] }])).toEqual({
    unaccepted: ['CKV_AWS_59 in production: service/TokenApi/Api/Default/ANY'],
    stale: [],
  });
});

test('S-65 each finding is accepted once, for a reason in one sentence', () => {
  const named = accepted.flatMap(({ check, stages = ['all'], of }) =>
    stages.flatMap((stage) => of.map((resource) => `${check} in ${stage}: ${resource}`)),
  );

  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
  for (const { why } of accepted) expect(why).toMatch(/^[A-Z].{20,}\.$/);
});
