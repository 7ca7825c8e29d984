import { expect } from '@jest/globals';
import { type Answered, createTokenService, formHeaders, grantBody, partner } from '../apis/token-service.ts';

export const { ask } = createTokenService();
export const { clientId } = partner;
export const without = (name: keyof typeof formHeaders) => {
  const { [name]: _, ...rest } = formHeaders;
  return rest;
};
export const bodyCredentials = (id: string, password: string, more = grantBody) =>
  `${more}&client_id=${id}&client_secret=${password}`;

export const refusal = (error: string) => ({ error, error_description: expect.any(String) });
export const expect401Basic = (answer: Answered) => {
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toBe('Basic realm="token"');
  expect(answer.json()).toEqual({
    error: 'invalid_client',
    error_description: 'Client authentication failed.',
  });
  expect(answer.headers['request-id']).toBe('request-1');
};
export const expect400 = (answer: Answered, error: string) => {
  expect([answer.status, answer.json()]).toEqual([400, refusal(error)]);
  expect(answer.headers['request-id']).toBe('request-1');
};
