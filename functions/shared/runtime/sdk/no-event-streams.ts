/**
 * Takes the place of `@smithy/core/event-streams` in bundles. No function calls an operation that streams events; a client
 * that has one asks for these when it is made.
 */
export const eventStreamSerdeProvider = () => ({});
export const resolveEventStreamSerdeConfig = <Config extends object>(config: Config) => config;
