/**
 * Takes the place of `@aws/lambda-invoke-store` in bundles: one process of a function answers one event after the other, so
 * that nothing is kept apart for each.
 */
export {};
