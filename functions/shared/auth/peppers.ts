import { type KeyRing, signersAt, verifiersAt } from '../domain/keys/key-ring.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ReadRing } from '../store/keys/ring-reader.ts';
import type { ReadSecret } from '../store/secrets/secrets.ts';

/** The id of the pepper that CloudFormation generated. A stored secret without a pepper id was hashed under it. */
export const firstPepperId = '0';

/** The peppers in use: new secrets are hashed under the newest one, stored ones may be under any of them. */
export type Peppers = { newest: string; texts: ReadonlyMap<string, string> };

export type ReadPeppers = () => Promise<Peppers>;

/** The texts of a pepper secret: `{"peppers": {id: text}}`, or the single text that CloudFormation generated. */
export const parsePeppers = (text: string): Map<string, string> => {
  const { peppers } = text.startsWith('{') ? JSON.parse(text) : { peppers: { [firstPepperId]: text } };
  return new Map(Object.entries(peppers));
};

/** The peppers of the ring with their texts from the secret. Reads the secret again if a text is missing. */
export const createPepperReader =
  ({
    readRing,
    readSecret,
    clock,
  }: {
    readRing: ReadRing;
    readSecret: ReadSecret;
    clock: Clock;
  }): ReadPeppers =>
  async () => {
    const [ring, nowMs] = [await readRing(), clock().getTime()];
    const hasAll = (text: string) => lacking(ring, nowMs, parsePeppers(text)).length === 0;
    return toPeppers(ring, nowMs, parsePeppers(await readSecret(hasAll)));
  };

const lacking = (ring: KeyRing, nowMs: number, texts: ReadonlyMap<string, string>) =>
  verifiersAt(ring, nowMs).filter(({ kid }) => !texts.has(kid));

const toPeppers = (ring: KeyRing, nowMs: number, texts: ReadonlyMap<string, string>): Peppers => {
  const ids = signersAt(ring, nowMs).flatMap(({ kid }) => (texts.has(kid) ? [kid] : []));
  const [newest] = ids;
  if (newest === undefined) throw new Error('The secret holds no pepper of the ring');
  return { newest, texts: new Map([...texts].filter(([id]) => ids.includes(id))) };
};
