import { describedFetch } from '../openapi/described-fetch.ts';
import type { TestStage } from './stage.ts';

type BuyerRequest = { method?: string; headers?: Record<string, string>; body?: unknown };

/** A buyer's browser on a shop's page: every request has the page's origin, and the token once there is one. */
export const aBrowserOn = ({ baseUrl }: Pick<TestStage, 'baseUrl'>, origin: string) => {
  const state = { token: '' };
  const send = async (path: string, { method = 'GET', headers = {}, body }: BuyerRequest = {}) => {
    const response = await describedFetch(new URL(path, baseUrl), {
      method,
      headers: {
        Origin: origin,
        ...(state.token && { Authorization: `Bearer ${state.token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const token = response.headers.get('authentication-token');
    state.token = token ?? state.token;
    return {
      status: response.status,
      headers: response.headers,
      token,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return { send, state };
};
