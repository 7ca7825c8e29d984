/** What AWS WAF inspects of a request: as it was sent, with nothing decoded. */
export type WebRequest = {
  method: string;
  path: string;
  query: string;
  headers?: readonly (readonly [name: string, value: string])[];
};

type Transformation = { Type: 'NONE' | 'URL_DECODE' | 'LOWERCASE' };
type Field = {
  UriPath?: object;
  QueryString?: object;
  Method?: object;
  Headers?: {
    MatchPattern: { All: object };
    MatchScope: 'KEY' | 'VALUE';
    OversizeHandling: 'MATCH' | 'NO_MATCH' | 'CONTINUE';
  };
};
type Looking = { FieldToMatch: Field; TextTransformations: Transformation[] };

/** The statements of our rules, as a template has them. */
export type Statement = {
  ByteMatchStatement?: Looking & { SearchString: string; PositionalConstraint: 'CONTAINS' | 'EXACTLY' };
  RegexMatchStatement?: Looking & { RegexString: string };
  AndStatement?: { Statements: Statement[] };
  OrStatement?: { Statements: Statement[] };
  NotStatement?: { Statement: Statement };
};

/** Whether a rule's statement meets a request, as the documents of AWS WAF have it. */
export const isMatched = (statement: Statement, request: WebRequest): boolean => {
  const { ByteMatchStatement, RegexMatchStatement, AndStatement, OrStatement, NotStatement } = statement;
  if (AndStatement) return AndStatement.Statements.every((one) => isMatched(one, request));
  if (OrStatement) return OrStatement.Statements.some((one) => isMatched(one, request));
  if (NotStatement) return !isMatched(NotStatement.Statement, request);
  if (RegexMatchStatement) {
    const pattern = new RegExp(RegexMatchStatement.RegexString);
    return isFound(RegexMatchStatement, request, (text) => pattern.test(text));
  }
  if (!ByteMatchStatement) throw new Error(`No statement of ours: ${JSON.stringify(statement)}`);
  const { SearchString, PositionalConstraint } = ByteMatchStatement;
  return isFound(ByteMatchStatement, request, (text) =>
    PositionalConstraint === 'EXACTLY' ? text === SearchString : text.includes(SearchString),
  );
};

const isFound = (
  { FieldToMatch, TextTransformations }: Looking,
  request: WebRequest,
  isMeant: (text: string) => boolean,
): boolean => {
  const { Headers, UriPath, QueryString, Method } = FieldToMatch;
  const transform = (text: string) => TextTransformations.reduce(transformed, text);
  if (Headers) {
    const inspected = inspectedHeaders(request);
    const isOversize = inspected.length < (request.headers ?? []).length;
    if (isOversize && Headers.OversizeHandling !== 'CONTINUE') return Headers.OversizeHandling === 'MATCH';
    return inspected.some((header) => isMeant(transform(header[Headers.MatchScope === 'KEY' ? 0 : 1])));
  }
  if (UriPath) return isMeant(transform(request.path));
  if (QueryString) return isMeant(transform(request.query));
  if (Method) return isMeant(transform(request.method));
  throw new Error(`No part of a request: ${JSON.stringify(FieldToMatch)}`);
};

/** "The underlying host service forwards a maximum of 200 headers and at most 8 KB of header contents to WAF." */
const inspectedHeaders = ({ headers = [] }: WebRequest) => {
  let size = 0;
  return headers.slice(0, 200).filter(([name, value]) => {
    size += name.length + value.length;
    return size <= 8_192;
  });
};

const transformed = (text: string, { Type }: Transformation): string => {
  if (Type === 'LOWERCASE') return text.toLowerCase();
  if (Type === 'NONE') return text;
  // What is no code stays.
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
};

/**
 * What a statement takes of a web ACL's capacity, in WCU ("Rule statement characteristics" of each statement): 10 for each
 * transformation, of which AWS leaves open whether NONE is one.
 */
export const capacityOf = (statement: Statement): number => {
  const { ByteMatchStatement, RegexMatchStatement, AndStatement, OrStatement, NotStatement } = statement;
  const nested = [
    ...(AndStatement?.Statements ?? []),
    ...(OrStatement?.Statements ?? []),
    ...(NotStatement ? [NotStatement.Statement] : []),
  ];
  const own =
    (ByteMatchStatement ? (ByteMatchStatement.PositionalConstraint === 'EXACTLY' ? 2 : 10) : 0) +
    (RegexMatchStatement ? 3 : 0) +
    10 *
      (ByteMatchStatement ?? RegexMatchStatement ?? { TextTransformations: [] }).TextTransformations.length;
  return nested.reduce((sum, one) => sum + capacityOf(one), own);
};
