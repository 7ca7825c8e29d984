/** A request to a store is given up after so long, and is made so often. */
export const storeTimeoutMs = 3_000;
export const storeTries = 2;

/** Settings of an SDK client whose every request ends in time: until an answer begins, and whenever it stalls. */
export const requestLimits = (timeoutMs = storeTimeoutMs) => ({
  maxAttempts: storeTries,
  requestHandler: {
    requestTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Else the SDK only warns.
    throwOnRequestTimeout: true,
  },
});
