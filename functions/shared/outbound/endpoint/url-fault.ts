import type { EndpointUrlFault } from './url-policy.ts';

/** Describes a fault of an address; it follows the address in a sentence. */
export const urlFaultText = (fault: EndpointUrlFault, text: string): string => {
  switch (fault) {
    case 'not-a-url':
      return 'is not a web address: write https://host/path.';
    case 'not-https':
      return 'is not an https address.';
    case 'user-info':
      return 'has a user name in it.';
    case 'fragment':
      return 'has a part behind a #, which is never sent.';
    case 'port':
      return 'names port 0, at which nothing can be reached.';
    case 'ip-literal':
      return 'names its host by a number: endpoints have names.';
    case 'host-name':
      return 'does not name its host in full, such as hooks.partner.example.';
    case 'reserved-name':
      return 'names a host of a private network.';
    case 'characters':
      return 'has characters that the bus does not take in an address, or more than 2,048 of them.';
    case 'spelling':
      return `is to be written as ${new URL(text).href}.`;
    default:
      return fault satisfies never;
  }
};
