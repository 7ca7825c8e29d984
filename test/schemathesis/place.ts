import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/repository.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import { aPartnerProgram } from '../support/stage/partner-client.ts';
import type { TestStage } from '../support/stage/stage.ts';

type Described = {
  servers?: unknown;
  webhooks?: unknown;
  paths: Record<string, Record<string, unknown>>;
  components: {
    securitySchemes: Record<string, unknown>;
    parameters: Record<string, { schema: unknown }>;
  };
};

/**
 * The document for one stage, with both APIs at its address. Schemathesis sends no OAuth 2 token by itself, so it is
 * given as a bearer token. Webhooks are left out, because receivers implement them.
 */
export const documentFor = ({ baseUrl }: Pick<TestStage, 'baseUrl'>): string => {
  const kept = readFileSync(join(root, 'docs/openapi.json'), 'utf8');
  const { webhooks, ...document } = JSON.parse(kept) as Described;
  for (const path of Object.values(document.paths)) path.servers = undefined;
  document.servers = [{ url: baseUrl }];
  // Any text is a valid page (PAGE-1, PAGE-2). The document describes sensible ones.
  for (const name of ['page', 'per-page']) anyText(document.components.parameters[name]);
  document.components.securitySchemes.accessToken = { type: 'http', scheme: 'bearer' };
  return JSON.stringify(document);
};

const anyText = (parameter: { schema: unknown } | undefined) => {
  if (parameter) parameter.schema = { type: 'string' };
};

/** Who asks, and what there is: `hooks.py` puts it into sound requests. */
export type Callers = {
  baseUrl: string;
  authUrl: string;
  token: string;
  session: string;
  origin: string;
  client: [clientId: string, clientSecret: string];
  /** The partner's transactions, and the session's, by their ids. */
  partners: string[];
  sessions: string[];
  pages: string[];
  webhookUrl: string;
  /** Where a new transaction may be, and where one may move to. */
  place: { location: string; franchise: string };
  /** Of the identity provider. */
  issuer: string;
};

type Shop = {
  location: string;
  franchise: string;
  origins: string[];
  identityProvider: { issuer: string };
};

/** A demo partner with all OAuth scopes, and a buyer at the demo shop who has begun a transaction. */
export const callersOn = async (stage: TestStage): Promise<Callers> => {
  const [partner] = stage.stack.partners;
  const [shop] = stage.stack.storefronts as unknown as Shop[];
  if (!partner || !shop) throw new Error('The stage has no demo data.');
  const program = await aPartnerProgram(stage, partner, 'nop2/read nop2/write nop2/webhook');
  const [origin = ''] = shop.origins;
  const browser = aBrowserOn(stage, origin);
  const { body } = await browser.send('/api/transaction');
  return {
    ...{ baseUrl: stage.baseUrl, authUrl: stage.authUrl, token: program.token, session: browser.state.token },
    client: [partner.clientId, partner.clientSecret],
    partners: await program.uuids('filter[status]=0&per-page=20'),
    sessions: [body.uuid],
    webhookUrl: `${stage.stack.receiverUrl}/${partner.name}`,
    pages: ['start', 'collection.json', 'api-changelog.json'],
    place: { location: shop.location, franchise: shop.franchise },
    ...{ origin, issuer: shop.identityProvider.issuer },
  };
};

/** The arguments of Schemathesis. */
export const settingsFor = ({ token, session, client }: Callers): string => `
hooks = "hooks"
request-timeout = 20
continue-on-failure = true
cache = { enabled = false }

[auth.openapi.accessToken]
bearer = ${text(token)}
[auth.openapi.session]
bearer = ${text(session)}
[auth.openapi.client]
username = ${text(client[0])}
password = ${text(client[1])}

# What is sound is taken, but where the state of things forbids it (a webhook that is paused, a session that is full), or a
# text as long as a whole request may be makes the request longer.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "409", "413", "431"]
[checks.negative_data_rejection]
expected-statuses = ["400", "401", "404", "405", "409", "412", "413", "415", "422", "431"]

[dictionaries.pages]
values = ["1", "2", "50", "1000000000"]

[[operations]]
include-path-regex = "^/api/.*transaction"
parameters = { "query.page" = { dictionary = "pages", probability = 0.7 }, "query.per-page" = { dictionary = "pages", probability = 0.7 } }
`;

const text = (value: string) => JSON.stringify(value);
