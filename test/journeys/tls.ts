import { connect, type SecureVersion } from 'node:tls';

/**
 * Whether the host of an address makes a connection of this version of TLS, with a certificate that the authorities of Node
 * have signed, or those of `ca` alone.
 */
export const takesTls = (url: string, version: SecureVersion, ca?: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({
      ...{ host: hostname, servername: hostname, port: Number(port || 443) },
      ...{ minVersion: version, maxVersion: version, timeout: 10_000 },
      // Old versions need ciphers that this side would not offer by itself (OpenSSL's security level 0).
      ciphers: 'DEFAULT@SECLEVEL=0',
      ...(ca !== undefined && { ca }),
    });
    const end = (isTaken: boolean) => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
