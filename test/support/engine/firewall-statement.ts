/** What AWS WAF inspects of a request: as it was sent, with nothing decoded. */
export type WebRequest = { method: string; path: string; query: string };

type Transformation = { Type: 'NONE' | 'URL_DECODE' | 'LOWERCASE' };
type Field = { UriPath?: object; QueryString?: object; Method?: object };
type Looking = { FieldToMatch: Field; TextTransformations: Transformation[] };

/** The statements of our rules, as a template has them. */
type Statement = {
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
  if (RegexMatchStatement)
    return new RegExp(RegexMatchStatement.RegexString).test(textOf(RegexMatchStatement, request));
  if (!ByteMatchStatement) throw new Error(`No statement of ours: ${JSON.stringify(statement)}`);
  const { SearchString, PositionalConstraint } = ByteMatchStatement;
  const text = textOf(ByteMatchStatement, request);
  return PositionalConstraint === 'EXACTLY' ? text === SearchString : text.includes(SearchString);
};

const textOf = ({ FieldToMatch, TextTransformations }: Looking, { method, path, query }: WebRequest) => {
  const { UriPath, QueryString } = FieldToMatch;
  const seen = UriPath ? path : QueryString ? query : method;
  return TextTransformations.reduce(transformed, seen);
};

const transformed = (text: string, { Type }: Transformation): string => {
  if (Type === 'LOWERCASE') return text.toLowerCase();
  if (Type === 'NONE') return text;
  // What is no code stays.
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
};
