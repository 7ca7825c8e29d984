import type { SignatureStep } from '../../domain/partner.ts';

const ExpressionAttributeNames = { '#next': 'next' };

/** A step of a rotation as an update of the signature's item, which needs no right to read it (S-27). */
export const signatureUpdate = (step: SignatureStep) => {
  if (step === 'cancel') return { UpdateExpression: 'REMOVE #next', ExpressionAttributeNames };
  if (step === 'finish')
    return {
      UpdateExpression: 'SET signature = #next REMOVE #next',
      ConditionExpression: 'attribute_exists(#next)',
      ExpressionAttributeNames,
    };
  return {
    UpdateExpression: 'SET #next = :next',
    ExpressionAttributeNames,
    ExpressionAttributeValues: { ':next': step.announce },
  };
};
