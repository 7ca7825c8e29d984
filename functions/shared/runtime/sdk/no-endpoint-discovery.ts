/**
 * Takes the place of `@aws-sdk/middleware-endpoint-discovery` in bundles: DynamoDB has one endpoint a region, and
 * discovery is off unless asked for.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

export const resolveEndpointDiscoveryConfig = <Config extends object>(config: Config) =>
  Object.assign(config, { endpointDiscoveryEnabled: async () => false });
