/** The variables that functions use. `lib/constructs` sets exactly those that a function names. */
const variableNames = [
  'BASE_URL',
  'AUTH_URL',
  'API_AUDIENCE',
  'TRANSACTIONS_TABLE',
  'LISTING_TABLE',
  'PARTNERS_TABLE',
  'REQUESTS_TABLE',
  'ACCESS_KEYS_SECRET',
  'SESSION_KEYS_SECRET',
  'PEPPER_SECRET',
  'DEBOUNCE_TABLE',
  'EVENT_BUS',
  'EVENT_SOURCE',
  'STAGE',
  'PARTNER_REQUESTS_PER_MINUTE',
  'DORMANCY_SECONDS',
  'TICK_SECONDS',
  'PUBLISH_QUEUE',
  'SHARD_QUEUE',
  'DELIVERY_ROLE',
  'DEAD_LETTER_QUEUE',
  'CONNECTION_KEY',
  'ENDPOINT_QUEUE',
  'ENDPOINT_EFFECT_SECONDS',
  'LOOPBACK_ENDPOINTS',
  'PROBE_FUNCTION',
  'AUDIT_TABLE',
  'INCOMPLETE_DAYS',
] as const;
export type VariableName = (typeof variableNames)[number];

/** Reads the named variables. Throws with the names of all missing ones, so that a function fails at its start. */
export const readEnvironment = <Name extends VariableName>(
  names: readonly Name[],
  source: Record<string, string | undefined> = process.env,
): Record<Name, string> => {
  const missing = names.filter((name) => !source[name]);
  if (missing.length > 0) throw new Error(`Environment variables are not set: ${missing.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, source[name]])) as Record<Name, string>;
};

/** Where the function runs, as Lambda says. */
export const runtimeRegion = (source: Record<string, string | undefined> = process.env): string => {
  if (!source.AWS_REGION) throw new Error('Environment variables are not set: AWS_REGION');
  return source.AWS_REGION;
};
