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
    schemas: Record<string, { properties: Record<string, unknown> }>;
    parameters: Record<string, { schema: unknown }>;
  };
};

/**
 * The document for one stage: both APIs are at its address. Schemathesis sends no OAuth 2 token by itself, and a bearer
 * token is what comes of it. Webhooks are for receivers.
 */
export const documentFor = ({ baseUrl }: Pick<TestStage, 'baseUrl'>): string => {
  const kept = readFileSync(join(root, 'docs/openapi.json'), 'utf8');
  const { webhooks, ...document } = JSON.parse(kept) as Described;
  for (const path of Object.values(document.paths)) path.servers = undefined;
  document.servers = [{ url: baseUrl }];
  // Any text is a page (PAGE-1, PAGE-2); the document names what is sensible.
  for (const name of ['page', 'per-page']) anyText(document.components.parameters[name]);
  // A cursor is none of the caller's making: links bring it.
  removeCursor(document.paths['/api/v2/event']);
  delete document.components.schemas.NewReplay?.properties.after;
  // An ID token is made by an identity provider, so no request of ours signs anybody in.
  delete document.paths['/api/session'];
  // The client stands in Authorization: Basic, and not in the form as well.
  for (const name of ['TokenRequest', 'TokenToJudge']) withoutClient(document.components.schemas[name]);
  document.components.securitySchemes.accessToken = { type: 'http', scheme: 'bearer' };
  // Other tools want a bound for every text. These bound a whole request, with statuses of their own. Nor does an example have
  // what was left out above.
  return JSON.stringify(document, (name, value) => {
    if (name === 'maxLength' && value >= wholeBytes) return undefined;
    return name === 'requestBody' ? withoutExamplesOf(['after', 'client_id'], value) : value;
  });
};

type Body = { content: Record<string, { examples?: Record<string, { value: object }> }> };

const withoutExamplesOf = (members: readonly string[], body: Body): Body => {
  const contents = Object.entries(body.content).map(([type, { examples = {}, ...content }]) => {
    const kept = Object.entries(examples).filter(([, { value }]) => !members.some((name) => name in value));
    return [type, { ...content, examples: Object.fromEntries(kept) }];
  });
  return { ...body, content: Object.fromEntries(contents) };
};

/** All of a form; all headers have 10,240. */
const wholeBytes = 8_192;

const anyText = (parameter: { schema: unknown } | undefined) => {
  if (parameter) parameter.schema = { type: 'string' };
};

const removeCursor = (path: Record<string, unknown> | undefined) => {
  const get = path?.get as { parameters: { $ref?: string; name?: string }[] } | undefined;
  if (get)
    get.parameters = get.parameters.filter(({ $ref = '', name }) => !`${$ref}${name}`.includes('after'));
};

const withoutClient = (form: { properties: Record<string, unknown> } | undefined) => {
  for (const name of ['client_id', 'client_secret']) delete form?.properties[name];
};

/** Who asks, and about what. */
export type Callers = {
  token: string;
  session: string;
  origin: string;
  clientId: string;
  clientSecret: string;
  partnersOwn: string[];
  sessionsOwn: string;
};

/** The token of a demo partner, and the session of a buyer who has begun a transaction. */
export const callersOn = async (stage: TestStage): Promise<Callers> => {
  const [partner] = stage.stack.partners;
  if (!partner) throw new Error('The stage has no demo partner.');
  const { clientId, clientSecret } = partner;
  const { token, uuids } = await aPartnerProgram(stage, partner);
  const origin = String((stage.stack.storefronts[0] as { origins: string[] } | undefined)?.origins[0]);
  const browser = aBrowserOn(stage, origin);
  const { body } = await browser.send('/api/transaction');
  const partnersOwn = await uuids('filter[status]=0&per-page=20');
  return {
    token,
    session: browser.state.token,
    origin,
    clientId,
    clientSecret,
    partnersOwn,
    sessionsOwn: body.uuid,
  };
};

/** What Schemathesis is told. */
export const settingsFor = (callers: Callers): string => `
hooks = "hooks"
request-timeout = 20
continue-on-failure = true
cache = { enabled = false }

[auth.openapi.accessToken]
bearer = ${text(callers.token)}
[auth.openapi.session]
bearer = ${text(callers.session)}
[auth.openapi.client]
username = ${text(callers.clientId)}
password = ${text(callers.clientSecret)}

# A write under a condition that does not hold is refused, however well it is written (WR-4).
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "3xx", "401", "403", "404", "409", "412", "429"]

[dictionaries.pages]
values = ["1", "2", "50", "1000000000"]
[dictionaries.partners]
values = [${callers.partnersOwn.map(text).join(', ')}]
[dictionaries.sessions]
values = [${text(callers.sessionsOwn)}]

[[operations]]
include-path-regex = "^/api/v2/"
parameters = { "query.page" = { dictionary = "pages", probability = 0.7 }, "query.per-page" = { dictionary = "pages", probability = 0.7 }, "path.uuid" = { dictionary = "partners", probability = 0.5 }, "body.transaction" = { dictionary = "partners", probability = 0.5 } }
[[operations]]
include-path-regex = "^/api/transaction"
headers = { Origin = ${text(callers.origin)} }
parameters = { "query.page" = { dictionary = "pages", probability = 0.7 }, "query.per-page" = { dictionary = "pages", probability = 0.7 }, "path.uuid" = { dictionary = "sessions", probability = 0.5 } }
`;

const text = (value: string) => JSON.stringify(value);
