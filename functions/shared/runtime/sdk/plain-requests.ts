type Request = { hostname: string; port?: number; headers: Record<string, string> };
type Next = (args: { request: Request }) => unknown;
type Stack = { add: (middleware: (next: Next) => Next, position: object) => void };

/** A step of the client's that adds to each request before it is signed. */
const step = (name: string, addTo: (request: Request) => void | Promise<void>) => ({
  applyToStack: (stack: Stack) => {
    stack.add(
      (next) => async (args) => {
        await addTo(args.request);
        return next(args);
      },
      { name, step: 'build', priority: 'low', override: true },
    );
  },
});

/**
 * Takes the place of `@aws-sdk/core/client` in bundles, together with what follows: which host is asked, by whom, and in
 * the course of which trace. The SDK also reports which of its features are in use, and prepares each request and answer
 * for a log that nobody keeps.
 */
export const getHostHeaderPlugin = () =>
  step('hostHeaderMiddleware', ({ headers, hostname, port }) => {
    headers.host ??= port === undefined ? hostname : `${hostname}:${port}`;
  });

/** By it AWS finds functions that call each other for ever. */
export const getRecursionDetectionPlugin = () =>
  step('recursionDetectionMiddleware', ({ headers }) => {
    const { _X_AMZN_TRACE_ID } = process.env;
    if (_X_AMZN_TRACE_ID) headers['X-Amzn-Trace-Id'] = _X_AMZN_TRACE_ID;
  });

type UserAgentConfig = { defaultUserAgentProvider: () => Promise<string> };
/** AWS's own records of requests name it, and with it the program, where the environment does: a local stage's functions. */
export const getUserAgentPlugin = ({ defaultUserAgentProvider }: UserAgentConfig) =>
  step('getUserAgentMiddleware', async ({ headers }) => {
    const { AWS_SDK_UA_APP_ID: program } = process.env;
    headers['user-agent'] =
      `${await defaultUserAgentProvider()}${program ? ` app/${program.replaceAll('/', '-')}` : ''}`;
  });
export const createDefaultUserAgentProvider =
  ({ clientVersion }: { clientVersion: string }) =>
  async () =>
    `aws-sdk-js/${clientVersion}`;
export const NODE_APP_ID_CONFIG_OPTIONS = { environmentVariableSelector: () => undefined };

const nothing = { applyToStack: () => undefined };
export const getLoggerPlugin = () => nothing;
export const getLongPollPlugin = () => nothing;

const unchanged = <Value>(value: Value) => value;
export const resolveHostHeaderConfig = unchanged;
export const resolveUserAgentConfig = unchanged;
export const setCredentialFeature = unchanged;
export const setFeature = () => undefined;
export const emitWarningIfUnsupportedVersion = () => undefined;
export const getDefaultSocketTimeout = () => undefined;
export const getAwsRegionExtensionConfiguration = () => ({});
export const resolveAwsRegionExtensionConfiguration = () => ({});
export const awsEndpointFunctions = {};
