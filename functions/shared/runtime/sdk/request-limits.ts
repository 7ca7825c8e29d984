/** The time limit of a request to a store, and the number of tries. */
export const storeTimeoutMs = 3_000;
export const storeTries = 2;

/** Settings of an SDK client that limit every request: until an answer begins, and while it stalls. */
export const requestLimits = (timeoutMs = storeTimeoutMs) => ({
  maxAttempts: storeTries,
  requestHandler: {
    requestTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Otherwise the SDK only logs a warning.
    throwOnRequestTimeout: true,
  },
});
