import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatGrant, parseGrant } from '../../../../../bin/operator/partners/grant-text.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';

test.each([
  ['group=G', { group: 'G' }],
  ['group=G,franchise=F', { group: 'G', franchise: 'F' }],
  ['group=G,location=L', { group: 'G', location: 'L' }],
  ['location=L,group=G,franchise=F', { group: 'G', franchise: 'F', location: 'L' }],
  ['group=a,b=c,location=x,y', { group: 'a,b=c', location: 'x,y' }],
  ['group= G ', { group: ' G ' }],
])('RUN-5 %s is a grant', (text, grant) => {
  expect(parseGrant(text)).toEqual({ ok: true, value: grant });
});

test.each([
  [''],
  ['G'],
  ['group='],
  ['franchise=F'],
  ['group=G,location='],
  ['group=G,group=H'],
  ['Group=G'],
  ['branch=B,group=G'],
])('RUN-5 "%s" is no grant, rather than one that is wider than meant', (text) => {
  expect(parseGrant(text)).toEqual({ ok: false, reason: 'grant-form' });
});

test('a grant of any characters is read as it was written', () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((text) => !/,(group|franchise|location)=/.test(text));
  fc.assert(
    fc.property(
      fc.record({ group: name, franchise: name, location: name }, { requiredKeys: ['group'] }),
      (grant) => {
        expect(parseGrant(formatGrant(grant))).toEqual({ ok: true, value: grant });
      },
    ),
    propertyRun('grants as text', 1_000),
  );
});
