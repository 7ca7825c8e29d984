import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

type Source = string | ArrayBuffer | ArrayBufferView;

/** Takes the place of `@smithy/core/checksum` in bundles, which implements the sums for engines without them. */
export class Sha256 {
  private readonly secret: Source | undefined;
  private hash: Hash | Hmac;

  constructor(secret?: Source) {
    this.secret = secret;
    this.hash = newHash(secret);
  }

  update(data: Source): void {
    this.hash.update(toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.hash.digest());
  }

  reset(): void {
    this.hash = newHash(this.secret);
  }
}

/** Compares what a queue confirms with what was sent; no secret depends on it. */
export class Md5 {
  private readonly hash = createHash('md5');

  update(data: Source): void {
    this.hash.update(toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.hash.digest());
  }
}

const newHash = (secret: Source | undefined): Hash | Hmac =>
  secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));

const toBytes = (source: Source): Uint8Array => {
  if (typeof source === 'string') return Buffer.from(source, 'utf8');
  if (!ArrayBuffer.isView(source)) return new Uint8Array(source);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
};
