import type { SignatureStep } from '../../domain/partner.ts';

/** A step of a rotation as an update of the signature's item, which needs no right to read it (S-27). */
export const signatureUpdate = (step: SignatureStep) => {
  if (step === 'finish')
    return {
      UpdateExpression: 'SET signature = #next REMOVE #next',
      ConditionExpression: 'attribute_exists(#next)',
      ExpressionAttributeNames: { '#next': 'next' },
    };
  return {
    UpdateExpression: step === 'cancel' ? 'REMOVE #next' : 'SET #next = :next',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#next': 'next' },
    ...(step !== 'cancel' && { ExpressionAttributeValues: { ':next': step.announce } }),
  };
};
