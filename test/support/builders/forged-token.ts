import { createPrivateKey, createSign, type JsonWebKey } from 'node:crypto';
import type { JWK } from 'jose';

export const encoded = (value: unknown) => bytesOf(value).toString('base64url');

const bytesOf = (value: unknown) => {
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
};

/** Signs any header and payload, given as values, as raw JSON text or as bytes, with an RSA key and no check at all. */
export const rs256 = (header: unknown, payload: unknown, key: JWK, hash = 'sha256') => {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  const privateKey = createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
  return `${signed}.${createSign(hash).update(signed).sign(privateKey, 'base64url')}`;
};
