type Environment = Record<string, string | undefined>;
type Setting<Value> = {
  environmentVariableSelector: (environment: Environment) => Value | undefined;
  default?: Value | (() => Promise<Value>);
};

/**
 * Takes the place of `@smithy/core/config` in bundles. What a function's clients are told stands in its environment; the
 * SDK would look into files of a home folder as well, and ask the machine for its region.
 */
export const loadConfig =
  <Value>({ environmentVariableSelector, default: usual }: Setting<Value>) =>
  async (): Promise<Value | undefined> =>
    environmentVariableSelector(process.env) ?? (usual instanceof Function ? usual() : usual);

export const REGION_ENV_NAME = 'AWS_REGION';
export const REGION_INI_NAME = 'region';
export const NODE_REGION_CONFIG_FILE_OPTIONS = {};
export const NODE_REGION_CONFIG_OPTIONS: Setting<string> = {
  environmentVariableSelector: ({ AWS_REGION }) => AWS_REGION,
  default: async () => {
    throw new Error('No AWS_REGION in the environment');
  },
};
export const resolveRegionConfig = <Config extends object>(config: Config) => config;

/** Endpoints of the usual kind alone are in use. */
const unused: Setting<boolean> = { environmentVariableSelector: () => undefined, default: false };
export const NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS = unused;
export const NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS = unused;

/** No default differs by where the program runs. */
export const resolveDefaultsModeConfig = () => async () => 'legacy';

export const SelectorType = { ENV: 'env', CONFIG: 'shared config entry' };
/** No function has a variable that says yes or no. */
export const booleanSelector = () => undefined;

export class ProviderError extends Error {}
