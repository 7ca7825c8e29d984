import { meantBy, type Operation, operations, valueAt } from '../../support/openapi/operations.ts';

/** A parameter of a query as the document describes it, and where its schema stands. */
export type Described = { name: string; place: string };

/** What the document says of an operation's query. */
export const queryOf = ({ place }: Operation): Described[] =>
  Object.keys(valueAt(`${place}/parameters`) ?? {})
    .map((index) => meantBy(`${place}/parameters/${index}`))
    .filter((parameter) => valueAt(parameter)?.in === 'query')
    .map((parameter) => ({ name: String(valueAt(parameter)?.name), place: `${parameter}/schema` }));

/** The operations with a parameter such as `filter[status]`, which tools of other hands write otherwise than callers do. */
export const bracketed: readonly Operation[] = operations.filter((operation) =>
  queryOf(operation).some(({ name }) => name.includes('[')),
);
