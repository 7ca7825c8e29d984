import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatGrant, parseGrant } from '../../../../../bin/operator/partners/grant-text.ts';
import { anyText } from '../../../../support/builders/any-text.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';

test.each([
  ['group=G', { group: 'G' }],
  ['group=G,franchise=F', { group: 'G', franchise: 'F' }],
  ['group=G,location=L', { group: 'G', location: 'L' }],
  ['location=L,group=G,franchise=F', { group: 'G', franchise: 'F', location: 'L' }],
  ['group="a,b=c",location="x,y"', { group: 'a,b=c', location: 'x,y' }],
  ['group="A,groop=x"', { group: 'A,groop=x' }],
  ['group="say ""hello"", A"', { group: 'say "hello", A' }],
  ['group="G"', { group: 'G' }],
  ['group=a=b=', { group: 'a=b=' }],
  ['group= G ', { group: ' G ' }],
])('RUN-5 %s is a grant', (text, grant) => {
  expect(parseGrant(text)).toEqual({ ok: true, value: grant });
});

test.each([
  ['', 'it has an empty part'],
  ['G', '"G" is not a dimension'],
  ['=G', '"G" is not a dimension'],
  ['group=', 'group has no value'],
  ['group=""', 'group has no value'],
  ['franchise=F', 'it names no group'],
  ['group=G,group=H', 'it names group twice'],
  ['Group=G', '"Group" is no dimension of a grant'],
  ['branch=B,group=G', '"branch" is no dimension of a grant'],
  ['group=A,groop=x', '"groop" is no dimension of a grant'],
  ['group=G, franchise=F', '" franchise" is no dimension of a grant'],
  ['group=G,__proto__=F', '"__proto__" is no dimension of a grant'],
  ['group=G,franchise', '"franchise" is not a dimension'],
  [',group=G', 'it has an empty part'],
  ['group=G,,franchise=F', 'it has an empty part'],
  ['group==G', 'group has two equals signs'],
  ['group="A', 'the quotes of group do not enclose it'],
  ['group="A"B', 'the quotes of group do not enclose it'],
  ['group=A"B,C"', 'the quotes of group do not enclose it'],
])('RUN-5 %s is not a grant: it would be wider than meant, or match nothing', (text, reason) => {
  expect(parseGrant(text)).toEqual({ ok: false, reason });
});

test('a grant with any characters is read as it was written', () => {
  const name = fc.oneof(
    anyText({ minLength: 1 }),
    fc.string({ unit: fc.constantFrom(',', '=', '"', 'a', 'group='), minLength: 1 }),
  );
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
