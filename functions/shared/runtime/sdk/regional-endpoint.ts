type Config = {
  region: () => Promise<string>;
  serviceId: string;
  /** How signatures name the service, and so does the address of its endpoint. */
  defaultSigningName: string;
};
type Context = { endpointV2?: { url: URL } };
type Middleware = (next: (args: object) => unknown, context: Context) => (args: object) => unknown;
type Stack = { addRelativeTo: (middleware: Middleware, position: object) => void };

/**
 * Takes the place of `@smithy/core/endpoints` in bundles. A function asks the services of its own region by their usual
 * addresses, or what `AWS_ENDPOINT_URL_…` names. The SDK walks through a table of rules for that at each request, with
 * the addresses of all partitions, of S3 and of FIPS.
 */
export const resolveEndpointConfig = <Given extends Config>(config: Given) =>
  Object.assign(config, { endpointUrl: once(() => endpointUrlOf(config)) });

const once = <Value>(make: () => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const endpointUrlOf = async ({ region, serviceId, defaultSigningName }: Config): Promise<URL> => {
  const variable = `AWS_ENDPOINT_URL_${serviceId.replaceAll(' ', '_').toUpperCase()}`;
  const named = process.env[variable] ?? process.env.AWS_ENDPOINT_URL;
  return new URL(named || `https://${defaultSigningName}.${await region()}.amazonaws.com`);
};

const position = {
  name: 'endpointV2Middleware',
  step: 'serialize',
  relation: 'before',
  toMiddleware: 'serializerMiddleware',
  override: true,
};

export const getEndpointPlugin = (config: ReturnType<typeof resolveEndpointConfig>) => ({
  applyToStack: (stack: Stack) => {
    stack.addRelativeTo(
      (next, context) => async (args) => {
        context.endpointV2 = { url: await config.endpointUrl() };
        return next(args);
      },
      position,
    );
  },
});

/** What clients make of the table of rules, which nobody asks. */
export const BinaryDecisionDiagram = { from: () => undefined };
export const customEndpointFunctions = {};
/** No endpoint of a region asks for a signature of its own kind. */
export class EndpointCache {
  get(): object {
    return {};
  }
}
export const decideEndpoint = () => ({});
export const resolveParams = async () => ({});
export const toEndpointV1 = () => undefined;
