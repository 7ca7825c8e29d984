import { type Outcome, refuse, succeed } from '../domain/outcome.ts';
import { mediaTypeOf } from './media-type.ts';
import { bodyBytes, type HttpEvent } from './request.ts';

/** The parameters of a form that have a value. */
export type Form = ReadonlyMap<string, string>;

export type FormFault = 'too-large' | 'wrong-content-type' | 'malformed-form';

/** The body of an OAuth request as a form. The URL is not read (O-42). */
export const readForm = (event: HttpEvent, largestBytes: number): Outcome<Form, FormFault> => {
  const body = bodyBytes(event);
  if (body.length > largestBytes) return refuse('too-large');
  // Parameters say nothing of a form: it is UTF-8 (RFC 6749 appendix B), whatever charset clients name.
  if (mediaTypeOf(event)?.type !== 'application/x-www-form-urlencoded') return refuse('wrong-content-type');
  return parseForm(body.toString());
};

/**
 * RFC 6749 section 3.2: a parameter may occur once (O-32), one without a value counts as absent (O-27), and unknown
 * ones are ignored (O-33).
 */
const parseForm = (body: string): Outcome<Form, 'malformed-form'> => {
  const form = new Map<string, string>();
  for (const part of body.split('&').filter((text) => text !== '')) {
    const [name, value] = splitOnce(part, '=').map(formDecoded);
    if (name === undefined || value === undefined || form.has(name)) return refuse('malformed-form');
    form.set(name, value);
  }
  return succeed(new Map([...form].filter(([, value]) => value !== '')));
};

export const splitOnce = (text: string, separator: string): [string, string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

/** `application/x-www-form-urlencoded` as text. Undefined if an escape or its UTF-8 is malformed. */
export const formDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};
