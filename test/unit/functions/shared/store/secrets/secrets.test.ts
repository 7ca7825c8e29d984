import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, test } from '@jest/globals';
import { createSecretStore } from '../../../../../../functions/shared/store/secrets/secrets.ts';

const answering = (answer: () => unknown) => {
  const inputs: unknown[] = [];
  const send = async ({ input }: { input: unknown }) => {
    inputs.push(input);
    return answer();
  };
  return { inputs, store: createSecretStore({ send } as unknown as SecretsManagerClient) };
};
const failing = (name: string) => () => {
  throw Object.assign(new Error(name), { name });
};

test('a secret is read and written by its id', async () => {
  const { inputs, store } = answering(() => ({ SecretString: 'text' }));

  expect(await store.read('id')).toBe('text');
  await store.write('id', 'new');
  expect(inputs).toEqual([{ SecretId: 'id' }, { SecretId: 'id', SecretString: 'new' }]);
});

test('a secret without a value reads as undefined', async () => {
  expect(await answering(failing('ResourceNotFoundException')).store.read('id')).toBeUndefined();
});

test('any other failure is a fault: keys are never created again because a secret could not be read', async () => {
  await expect(answering(failing('AccessDeniedException')).store.read('id')).rejects.toThrow('AccessDenied');
});
