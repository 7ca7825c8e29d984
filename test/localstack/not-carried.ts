const gateway = "LocalStack's gateway answers an unknown route itself, without the responses of the template";

/** Steps of the journeys that LocalStack's community version cannot pass, and why (localstack/README.md). */
export const notCarried: Readonly<Record<string, string>> = {
  'LINK-3 bytes that are no UTF-8 come back as addresses that ask the same':
    "LocalStack's gateway hands on a query's bytes that are no UTF-8 as they were written",
  "ERR-5 S-75 the gateway's own 404 for an unknown route has the same shape": gateway,
  'ERR-4 no value is too long or too odd': gateway,
  'ERR-5 every answer of both APIs carried a Request-Id': gateway,
};
