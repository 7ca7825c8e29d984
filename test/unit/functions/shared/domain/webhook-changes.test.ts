import { expect, test } from '@jest/globals';
import { paused, rotationOf } from '../../../../../functions/shared/domain/webhook-changes.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';

const byPartner = { by: 'partner', atMs: 2 } as const;
const byOperator = { by: 'operator', atMs: 3 } as const;

test('V2-13 the operator takes over a pause of the partner, and the partner none of the operator', () => {
  const ofPartner = paused(aPartner(), byPartner);
  const ofOperator = paused(ofPartner, byOperator);

  expect(ofPartner.webhookPaused).toBe('partner');
  expect(ofOperator.webhookPaused).toBe('operator');
  expect(paused(ofOperator, byPartner).webhookPaused).toBe('operator');
});

test('S-27 the end of a rotation dates the signature; a cancelled one leaves its date', () => {
  const announced = aPartner({ signatureMadeAtMs: 1, nextSignatureMadeAtMs: 2 });

  expect(rotationOf(announced, 'finish', byOperator)).toMatchObject({
    value: { after: { signatureMadeAtMs: 2 } },
  });
  expect(rotationOf(announced, 'cancel', byOperator)).toMatchObject({
    value: { after: { signatureMadeAtMs: 1 } },
  });
});
