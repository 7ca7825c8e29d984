import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A key and a certificate of it, as node's TLS takes them. */
export type Certificate = { key: string; cert: string };

export type CertificateFacts = {
  host: string;
  notBefore?: Date;
  notAfter?: Date;
  /** The signer; without one the certificate signs itself. */
  authority?: Authority;
};

export type Authority = Certificate & { privateKey: KeyObject; name: string };

const day = 24 * 60 * 60 * 1000;

/** An authority whose certificate tests trust. */
export const anAuthority = (name = 'Test authority'): Authority => {
  const keys = newKeys();
  const facts = { subject: name, issuer: name, ...validity({}), extensions: [isAuthority] };
  return { name, privateKey: keys.privateKey, ...certify(keys, facts, keys.privateKey) };
};

/** The certificate of a receiver (RFC 5280), made here so that tests need nothing beside node. */
export const aCertificate = ({ host, authority, ...times }: CertificateFacts): Certificate => {
  const keys = newKeys();
  const issuer = authority?.name ?? host;
  const facts = { subject: host, issuer, ...validity(times), extensions: [hostNames(host)] };
  return certify(keys, facts, authority?.privateKey ?? keys.privateKey);
};

type KeyPair = { privateKey: KeyObject; publicKey: KeyObject };
type CertificateContent = {
  subject: string;
  issuer: string;
  notBefore: Date;
  notAfter: Date;
  extensions: Buffer[];
};

const newKeys = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

const validity = ({ notBefore, notAfter }: Pick<CertificateFacts, 'notBefore' | 'notAfter'>) => ({
  notBefore: notBefore ?? new Date(Date.now() - day),
  notAfter: notAfter ?? new Date(Date.now() + day),
});

const certify = (
  { privateKey, publicKey }: KeyPair,
  facts: CertificateContent,
  signer: KeyObject,
): Certificate => {
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1, ...crypto.getRandomValues(new Uint8Array(8)))),
    ecdsaWithSha256,
    nameOf(facts.issuer),
    der(0x30, time(facts.notBefore), time(facts.notAfter)),
    nameOf(facts.subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...facts.extensions)),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, signer));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(der(0x30, content, ecdsaWithSha256, signature)),
  };
};

/** Tag, length, value (X.690). */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const value = Buffer.concat(parts);
  const length =
    value.length < 128 ? Buffer.of(value.length) : Buffer.of(0x82, value.length >> 8, value.length & 255);
  return Buffer.concat([Buffer.of(tag), length, value]);
};

const objectId = (...bytes: number[]) => der(0x06, Buffer.of(...bytes));
const ecdsaWithSha256 = der(0x30, objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

const nameOf = (text: string) =>
  der(0x30, der(0x31, der(0x30, objectId(0x55, 0x04, 0x03), der(0x0c, Buffer.from(text)))));

/** GeneralizedTime: YYYYMMDDHHMMSSZ. */
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`));

const extension = (id: Buffer, value: Buffer) => der(0x30, id, der(0x04, value));
const isAuthority = extension(objectId(0x55, 0x1d, 0x13), der(0x30, der(0x01, Buffer.of(0xff))));
const hostNames = (host: string) =>
  extension(objectId(0x55, 0x1d, 0x11), der(0x30, der(0x82, Buffer.from(host))));

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
