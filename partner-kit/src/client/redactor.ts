/** Takes known secrets out of a text that came from elsewhere: a proxy may repeat what it was sent. */
export type Redactor = { redact: (text: string) => string; learn: (token: string) => void };

/** Tokens are replaced about every hour: the latest are enough. */
const remembered = 10;

/** `secrets` stay known for good; tokens are learnt as they come. */
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
