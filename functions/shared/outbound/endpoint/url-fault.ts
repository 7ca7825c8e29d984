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
      return 'has a fragment (#), which is never sent.';
    case 'port':
      return 'names port 0, which cannot be reached.';
    case 'ip-literal':
      return 'names its host by a number: use a host name.';
    case 'host-name':
      return 'does not name its host in full, such as hooks.partner.example.';
    case 'reserved-name':
      return 'names a host of a private network.';
    case 'characters':
      return 'has characters that EventBridge does not accept in an address, or more than 2,048 characters.';
    case 'spelling':
      return `is to be written as ${new URL(text).href}.`;
    default:
      return fault satisfies never;
  }
};
