/** Removes known secrets from a text of somebody else, because a proxy may repeat a request. */
export type Redactor = { redact: (text: string) => string; learn: (token: string) => void };

/** Tokens are replaced about every hour, so the latest are enough. */
const remembered = 10;

/** `secrets` are removed always, tokens as soon as they are known. */
export const createRedactor = (secrets: readonly string[]): Redactor => {
  let tokens: readonly string[] = [];
  return {
    learn: (token) => {
      tokens = [token, ...tokens].slice(0, remembered);
    },
    redact: (text) =>
      [...secrets, ...tokens]
        .filter((secret) => secret !== '')
        .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text),
  };
};
