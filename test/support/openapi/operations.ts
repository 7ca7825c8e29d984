import { description, pointer } from './description.ts';

/** An operation of the document, and its path there. */
export type Operation = { id: string; method: string; path: string; place: string };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** All operations, those before others that say more of their path. */
export const operations: readonly Operation[] = Object.entries(description.paths ?? {})
  .flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, { operationId }]) => ({
        ...{ id: String(operationId), method: method.toUpperCase(), path },
        place: pointer('paths', path, method),
      })),
  )
  .toSorted((one, other) => parametersIn(one.path) - parametersIn(other.path));

function parametersIn(path: string): number {
  return path.split('{').length - 1;
}

/** `transactions GET /api/v2/transaction`: every operation with the service that has it. */
export const describedOperations = (): string[] =>
  operations.map(({ method, path }) => {
    const { servers = [] } = description.paths?.[path] ?? {};
    const isOfTokens = servers.some(({ description: what = '' }) => what.startsWith('Token service'));
    return `${isOfTokens ? 'token' : 'transactions'} ${method} ${path}`;
  });

/**
 * The operations at a path, with or without a trailing slash and a leading `/api`, because addresses in answers have
 * none (LINK-2).
 */
export const operationsAt = (pathname: string): Operation[] => {
  const asked = pathname.replace(/(.)\/$/, '$1').split('/');
  const found = operations.filter(({ path }) =>
    [path, path.replace(/^\/api/, '')].some((one) => isAt(one.split('/'), asked)),
  );
  return found.filter(({ path }) => path === found[0]?.path);
};

const isAt = (template: readonly string[], asked: readonly string[]) =>
  template.length === asked.length &&
  template.every((part, index) => part === asked[index] || (part.startsWith('{') && asked[index] !== ''));

type Node = Record<string, unknown>;

/** The target of a reference. */
export const meantBy = (place: string): string => {
  const { $ref } = valueAt(place) ?? {};
  return typeof $ref === 'string' ? meantBy($ref) : place;
};

/** The value at a path. Undefined if there is none. */
export const valueAt = (place: string): Node | undefined =>
  place
    .split('/')
    .slice(1)
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Node | undefined>(
      (node, name) => node?.[name] as Node | undefined,
      description as unknown as Node,
    );

/** A path within a path, with references resolved. Undefined if there is none. */
export const within = (place: string, ...members: string[]): string | undefined => {
  let found = meantBy(place);
  for (const member of members) {
    const next = found + pointer(member).slice(1);
    if (valueAt(next) === undefined) return undefined;
    found = meantBy(next);
  }
  return found;
};
