import type { Grant } from '../../functions/shared/domain/ownership/grant.ts';
import { urlFaultText } from '../../functions/shared/outbound/endpoint/url-fault.ts';
import {
  type EndpointRules,
  evaluateEndpointUrl,
} from '../../functions/shared/outbound/endpoint/url-policy.ts';
import { noWholeNumber, type Range, wholeNumber } from '../../lib/whole-number.ts';
import { parseGrant } from './partners/grant-text.ts';
import { UserError } from './user-error.ts';

/** Every value of an option that may be repeated. */
export const collect = (value: string, former: string[] = []) => [...former, value];

/** Reads a name: 1 to 100 visible characters, since tables show it and a person types it to confirm a step. */
export const readName = (text: string): string => {
  const name = text.trim();
  if (/^[^\p{Cc}\p{Cf}]{1,100}$/u.test(name)) return name;
  throw new UserError('A name has 1 to 100 visible characters.');
};

/** Reads the address of a webhook endpoint, and refuses it before any request goes to it (S-47). */
export const readWebhookUrl = (text: string, rules: EndpointRules): URL => {
  const url = evaluateEndpointUrl(text, rules);
  if (url.ok) return url.value;
  if (evaluateEndpointUrl(text, { allowsLoopback: true }).ok)
    throw new UserError(
      `"${text}" is on this machine, which AWS cannot reach: only a local stage or an emulator (AWS_ENDPOINT_URL) may send there.`,
    );
  throw new UserError(`"${text}" ${urlFaultText(url.reason, text)}`);
};

/** Reads a grant: `group=G[,franchise=F][,location=L]`. */
export const readGrant = (text: string): Grant => {
  const grant = parseGrant(text);
  if (grant.ok) return grant.value;
  throw new UserError(
    `"${text}" is not a grant: ${grant.reason}. Write group=G, optionally followed by ,franchise=F and ,location=L; put a value with a comma in quotes.`,
  );
};

/** Reads `--limit`, the most rows of a list: 1 to 1000. */
export const readLimit = (text: string): number => readNumber('--limit', text, { least: 1, most: 1_000 });

/** Reads a whole number of an option. */
export const readNumber = (option: string, text: string, range: Range): number => {
  const value = wholeNumber(text, range);
  if (value === undefined) throw new UserError(noWholeNumber(option, text, range));
  return value;
};
