/**
 * One request of the collection: an operation, its differences from the example, and the variables that its answer
 * sets.
 */
export type Step = {
  /** The operation's `operationId`. */
  operation: string;
  /** Replaces the operation's summary if it occurs more than once. */
  name?: string;
  /** The name of the body's example. Defaults to the first one. */
  example?: string;
  /** Members that replace those of the example. Undefined leaves one out. */
  body?: Record<string, unknown>;
  /** Parameters to send. All other query parameters are present and disabled. */
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Path parameters. Default to the document's example. */
  path?: Record<string, string>;
  /** `none`: without the credentials that the operation could take. */
  auth?: 'none';
  /** Variables to set, as expressions of Postman's scripts. An expression without a value sets nothing. */
  keeps?: Record<string, string>;
  /** An expression. Without a value, the request is skipped. */
  onlyIf?: string;
};

/** A folder of the collection. */
export type Round = { name: string; description: string; steps: Step[] };

/** Variables that a person fills in, and those that answers fill in. Addresses come from the document. */
export const variables: Readonly<Record<string, string>> = {
  ...{ clientId: '', clientSecret: '', webhookUrl: '', shopOrigin: '', idToken: '', irreversible: '' },
  ...{ accessToken: '', uuid: '', etag: '', eventTime: '' },
  ...{ sessionToken: '', ownUuid: '', ownEtag: '' },
};

/** A variable in the text of a request. */
const the = (name: string) => `{{${name}}}`;
/** The same within a script, of any scope. */
const value = (name: string) => `pm.variables.replaceIn('{{${name}}}')`;
const answered = (member: string) => `pm.response.json().${member}`;
const header = (name: string) => `pm.response.headers.get('${name}')`;

const ofPartner = { uuid: the('uuid') };
const changed = { headers: { 'If-Match': the('etag') }, keeps: { etag: header('etag') } };
const token = { accessToken: answered('access_token') };

const ofSession = { uuid: the('ownUuid') };
const origin = { Origin: the('shopOrigin') };
const session = { sessionToken: header('authentication-token') };
const ownChanged = {
  ...{ path: ofSession, headers: { ...origin, 'If-Match': the('ownEtag') } },
  keeps: { ...session, ownEtag: header('etag') },
};

/** Steps that cannot be undone. */
const onlyIfAsked = { onlyIf: `${value('irreversible')} === 'yes'` };

/** All operations in the order of the guide. Earlier requests set what a later one needs. */
export const rounds: readonly Round[] = [
  {
    name: '1 Get started',
    description: 'A token, which all later requests use, and what the service knows of you.',
    steps: [
      { operation: 'issueToken', body: { scope: undefined }, keeps: token },
      { operation: 'getPartner' },
    ],
  },
  {
    name: '2 Read and change transactions',
    description: 'A list of incomplete transactions; the first of them is read and changed.',
    steps: [
      {
        operation: 'listTransactions',
        query: { 'filter[status]': '0', 'per-page': '2', fields: 'uuid,status' },
        keeps: { uuid: answered('data[0]?.uuid') },
      },
      {
        operation: 'getTransaction',
        path: ofPartner,
        query: { expand: 'customer,vehicle' },
        keeps: { etag: header('etag') },
      },
      { operation: 'updateTransaction', path: ofPartner, ...changed },
      { operation: 'replaceElements', path: ofPartner, ...changed },
    ],
  },
  {
    name: '3 Record a payment',
    description:
      'A payment with `status` 0, and one with `status` 1: it completes the transaction, which nothing takes back, so it is sent only where `irreversible` is `yes`.',
    steps: [
      {
        operation: 'createPayment',
        example: 'card',
        body: { transaction: the('uuid') },
        headers: { 'Idempotency-Key': `payment-${the('uuid')}` },
      },
      {
        ...{ operation: 'createPayment', name: 'Complete a transaction by a payment', example: 'taken' },
        body: { transaction: the('uuid') },
        headers: { 'Idempotency-Key': `completion-${the('uuid')}` },
        ...onlyIfAsked,
      },
    ],
  },
  {
    name: '4 Set up and test a webhook',
    description: 'Your present address is set again, unless `webhookUrl` has another; then a test is sent.',
    steps: [
      { operation: 'getWebhook', keeps: { webhookUrl: `${value('webhookUrl')} || ${answered('url')}` } },
      { operation: 'setWebhook', body: { url: the('webhookUrl') } },
      { operation: 'testWebhook' },
    ],
  },
  {
    name: '5 Read and replay events',
    description: 'What you were sent. Everything since the newest event is replayed.',
    steps: [
      {
        operation: 'listEvents',
        query: { 'per-page': '10' },
        keeps: { eventTime: answered('data[0]?.at') },
      },
      { operation: 'replayEvents', body: { since: the('eventTime') }, onlyIf: value('eventTime') },
    ],
  },
  {
    name: '6 Pause and resume a webhook',
    description: 'Nothing is lost meanwhile.',
    steps: [
      { operation: 'updateWebhook', name: 'Pause your webhook' },
      { operation: 'updateWebhook', name: 'Resume your webhook', body: { paused: false } },
    ],
  },
  {
    name: '7 Check out as a buyer (V1)',
    description:
      'For storefronts: `shopOrigin` is the origin of one. With an ID token of its identity provider in `idToken`, the buyer signs in.',
    steps: [
      {
        operation: 'getOrCreateTransaction',
        auth: 'none',
        headers: origin,
        keeps: { ...session, ownUuid: answered('uuid') },
      },
      {
        operation: 'createTransaction',
        headers: origin,
        body: { location: undefined, franchise: undefined },
        keeps: { ...session, ownUuid: answered('uuid') },
      },
      {
        operation: 'getOwnTransaction',
        ...{ path: ofSession, headers: origin },
        keeps: { ...session, ownEtag: header('etag') },
      },
      { operation: 'updateOwnTransaction', ...ownChanged },
      { operation: 'replaceOwnElements', ...ownChanged },
      {
        operation: 'signIn',
        headers: origin,
        body: { subject_token: the('idToken'), actor_token: the('sessionToken') },
        keeps: { sessionToken: answered('access_token') },
        onlyIf: value('idToken'),
      },
    ],
  },
  {
    name: '8 Look at tokens and documents',
    description: 'What the services publish about themselves.',
    steps: [
      { operation: 'introspectToken', body: { token: the('accessToken') } },
      { operation: 'getKeySet' },
      { operation: 'getAuthorizationServer' },
      { operation: 'getProtectedResource' },
      { operation: 'getDescription' },
      { operation: 'getDocs' },
      { operation: 'getDocsPage' },
      { operation: 'getOverviewForTools' },
      { operation: 'getApiCatalog' },
    ],
  },
  {
    name: '9 Rotate credentials and end access',
    description:
      'Your programs lose what they work with, so these are sent only where `irreversible` is `yes`. The new client secret takes the place of the variable.',
    steps: [
      { operation: 'announceSignature', ...onlyIfAsked },
      {
        ...{ operation: 'updateWebhook', name: 'Switch to the next signature', example: 'next' },
        ...onlyIfAsked,
      },
      { operation: 'removeWebhook', ...onlyIfAsked },
      { operation: 'makeSecret', keeps: { clientSecret: answered('client_secret') }, ...onlyIfAsked },
      {
        ...{ operation: 'issueToken', name: 'Get an access token by the new secret' },
        ...{ body: { scope: undefined }, keeps: token },
        ...onlyIfAsked,
      },
      { operation: 'revokeToken', body: { token: the('accessToken') }, ...onlyIfAsked },
    ],
  },
];
