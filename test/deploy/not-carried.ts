const gateway = "LocalStack's gateway answers an unknown route itself, without the responses of the template";

/** Steps of the journeys that LocalStack's community version cannot pass, and why (localstack/README.md). */
export const notCarried: Readonly<Record<string, string>> = {
  'S-75 ERR-5 an unknown route is 404 in the form of its API': gateway,
  'S-75 ERR-5 an unknown route is 404 for who shows a token, too': gateway,
  'S-45 answers of functions and of the gateway carry the security headers': gateway,
  'S-75 TH-10 a body of more than 10 MB is 413, with a Request-Id':
    "LocalStack's gateway takes a body of any size",
  'ERR-5 every answer of both APIs carried a Request-Id': gateway,
};
