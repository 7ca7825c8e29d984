import { type HttpEvent, headerValues } from './request.ts';

/** The type in lower case, and its parameters. These are undefined where they do not follow the grammar. */
type MediaType = { type: string; parameters: MediaTypeParameter[] | undefined };

/** The name in lower case, and the value without quotes. */
type MediaTypeParameter = { name: string; value: string };

const token = "[!#$%&'*+.^_`|~\\w-]+";
const typeAlone = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*(?=;|$)`);
/** What follows a semicolon: a parameter, or nothing. */
const oneParameter = new RegExp(
  `;[ \\t]*(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*)?`,
  'gy',
);

/** The media type of a body (RFC 9110 sections 5.6.6 and 8.3.1). Undefined without one, or with several. */
export const mediaTypeOf = (event: Pick<HttpEvent, 'multiValueHeaders'>): MediaType | undefined => {
  const [text = '', ...others] = headerValues(event, 'Content-Type');
  const [start = '', type] = typeAlone.exec(text) ?? [];
  if (type === undefined || others.length > 0) return undefined;
  return { type: type.toLowerCase(), parameters: readParameters(text.slice(start.length)) };
};

const readParameters = (text: string): MediaTypeParameter[] | undefined => {
  const found = [...text.matchAll(oneParameter)];
  if (found.map(([part]) => part).join('') !== text) return undefined;
  return found.flatMap(([, name, bare, quoted = '']) =>
    name === undefined ? [] : { name: name.toLowerCase(), value: bare ?? quoted.replaceAll(/\\(.)/gs, '$1') },
  );
};
