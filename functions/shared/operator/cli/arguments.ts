import { OperatorRefusal } from '../operator-refusal.ts';

/** Names are shown in tables and typed to confirm: short, and nothing invisible in them. */
export const readName = (text: string): string => {
  const name = text.trim();
  if (/^[^\p{Cc}\p{Cf}]{1,100}$/u.test(name)) return name;
  throw new OperatorRefusal('A name has 1 to 100 visible characters.');
};

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** https without credentials in it; plain http only to this machine (S-47: the address itself is judged before it is used). */
export const readWebhookUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname));
  if (url && isSafe && url.username === '' && url.password === '') return url.href;
  throw new OperatorRefusal(`"${text}" is not an https address without a user name in it.`);
};
