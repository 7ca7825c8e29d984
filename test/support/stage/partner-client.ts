import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { describedFetch } from '../openapi/described-fetch.ts';
import type { TestStage } from './stage.ts';

/** Where a stage is reached. */
type Addresses = Pick<TestStage, 'baseUrl' | 'authUrl'>;

export type Credentials = { clientId: string; clientSecret: string };
export type PartnerRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: URLSearchParams | string;
};

/** The body of a list, as far as tests read it. */
export type ListBody = {
  _expand: string;
  data: JsonObject[];
  _links: Record<string, { href: string }>;
  _meta: { totalCount: number; pageCount: number; currentPage: number; perPage: number };
};

/** One request over HTTP; a path is taken from the stage's base, an href as it stands. */
export const send = async (stage: Addresses, target: string, ask: PartnerRequest = {}) => {
  const response = await describedFetch(new URL(target, stage.baseUrl), ask);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: () => JSON.parse(text) as JsonObject,
    list: () => JSON.parse(text) as ListBody,
  };
};

/** An access token, asked for as interface 4.3 shows it. */
const fetchToken = async (
  stage: Addresses,
  { clientId, clientSecret }: Credentials,
  oauthScopes = 'nop2/read nop2/write',
): Promise<string> => {
  const { json } = await send(stage, `${stage.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: oauthScopes }),
  });
  return String(json().access_token);
};

/** A partner's program: one token, used for every call. */
export const aPartnerProgram = async (stage: Addresses, credentials: Credentials, oauthScopes?: string) => {
  const token = await fetchToken(stage, credentials, oauthScopes);
  const get = (target: string, { headers, ...more }: PartnerRequest = {}) =>
    send(stage, target, { ...more, headers: { Authorization: `Bearer ${token}`, ...headers } });
  const write = (method: 'PATCH' | 'POST' | 'PUT', target: string, body: unknown, headers: object = {}) =>
    get(target, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const uuids = async (query: string) => uuidsOf((await get(`/api/v2/transaction?${query}`)).list());
  return {
    token,
    get,
    write,
    uuids,
    allPages: (query: string) => followNext(get, `/api/v2/transaction?${query}`),
  };
};

const uuidsOf = ({ data }: ListBody): string[] => data.map(({ uuid }) => String(uuid));

type Get = (target: string) => ReturnType<typeof send>;

/** Every page, by `next` until there is none. */
const followNext = async (get: Get, first: string): Promise<ListBody[]> => {
  const pages: ListBody[] = [];
  for (let href: string | undefined = first; href !== undefined; href = pages.at(-1)?._links.next?.href) {
    if (pages.length > 1000) throw new Error('next never ends');
    pages.push((await get(href)).list());
  }
  return pages;
};
