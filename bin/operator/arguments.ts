import type { Grant } from '../../functions/shared/domain/ownership/grant.ts';
import { type EndpointRules, judgeEndpointUrl } from '../../functions/shared/outbound/endpoint/url-policy.ts';
import { urlSentence } from './output/webhook.ts';
import { parseGrant } from './partners/grant-text.ts';
import { valueOrRefusal } from './refusals.ts';
import { UserError } from './user-error.ts';

/** Names are shown in tables and typed to confirm: short, and nothing invisible in them. */
export const readName = (text: string): string => {
  const name = text.trim();
  if (/^[^\p{Cc}\p{Cf}]{1,100}$/u.test(name)) return name;
  throw new UserError('A name has 1 to 100 visible characters.');
};

/** S-47. */
export const readWebhookUrl = (text: string, rules: EndpointRules): URL => {
  const judged = judgeEndpointUrl(text, rules);
  if (judged.ok) return judged.value;
  throw new UserError(urlSentence(judged.reason, text));
};

/** `group=G[,franchise=F][,location=L]` (RUN-5). */
export const readGrant = (text: string): Grant => valueOrRefusal(parseGrant(text), text);
