/** A method of a resource of a REST API, as the template declares it. */
export type Route = {
  /** The resource's path, e.g. `/api/v2/transaction/{uuid}`. */
  resource: string;
  /** An HTTP method or `ANY`. */
  method: string;
  /** The logical ids of the API and of its function. */
  api: string;
  functionId: string;
};

export type RouteMatch = { route: Route; pathParameters: Record<string, string> | null };

/**
 * The route of a request. Segments are compared as sent, so `//`, `%2e` and `..` are neither decoded nor normalised; one
 * trailing slash is ignored (VERB-1). As in API Gateway, the path chooses the resource, where a literal segment counts before
 * a parameter; then the method chooses the route, its own before `ANY`.
 */
export const matchRoute = (
  routes: readonly Route[],
  method: string,
  path: string,
): RouteMatch | undefined => {
  const matches = routes.flatMap((route) => matchOne(route, segmentsOf(path)) ?? []);
  const fewest = Math.min(...matches.map(({ route }) => parametersIn(route)));
  const here = matches.filter(({ route }) => parametersIn(route) === fewest);
  return (
    here.find(({ route }) => route.method === method) ?? here.find(({ route }) => route.method === 'ANY')
  );
};

const matchOne = (route: Route, segments: string[]): RouteMatch | undefined => {
  const declared = segmentsOf(route.resource);
  const sent = declared.at(-1)?.endsWith('+}') ? withRest(segments, declared.length) : segments;
  if (sent.length !== declared.length) return undefined;
  const pairs = declared.map((segment, index) => ({
    name: parameterName(segment),
    segment,
    value: sent[index] ?? '',
  }));
  if (!pairs.every(({ name, segment, value }) => (name ? value !== '' : value === segment))) return undefined;
  const parameters = pairs.flatMap(({ name, value }) => (name ? [[name, value]] : []));
  return { route, pathParameters: parameters.length > 0 ? Object.fromEntries(parameters) : null };
};

/** A greedy parameter, `{page+}`, is all that is left of a path. */
const withRest = (segments: string[], count: number): string[] =>
  segments.length < count ? segments : [...segments.slice(0, count - 1), segments.slice(count - 1).join('/')];

/** `/a/b` and `/a/b/` have the segments a and b; `/a//b` has an empty segment between them. */
const segmentsOf = (path: string): string[] => path.replace(/^\//, '').replace(/\/$/, '').split('/');

const parameterName = (segment: string): string | undefined => /^\{(.+?)\+?\}$/.exec(segment)?.[1];

const parametersIn = ({ resource }: Route): number => resource.split('{').length;
