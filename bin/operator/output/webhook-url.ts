import type { EndpointUrlFault } from '../../../functions/shared/outbound/endpoint/url-policy.ts';

/** Why a text is not a valid endpoint address, in one sentence (S-47). */
export const urlSentence = (fault: EndpointUrlFault, text: string): string => {
  const said = `"${text}"`;
  switch (fault) {
    case 'not-a-url':
      return `${said} is not a web address: write https://host/path.`;
    case 'not-https':
      return `${said} is not an https address.`;
    case 'user-info':
      return `${said} has a user name in it.`;
    case 'fragment':
      return `${said} has a part behind a #, which is never sent.`;
    case 'port':
      return `${said} names port 0, at which nothing can be reached.`;
    case 'ip-literal':
      return `${said} names its host by a number: endpoints have names.`;
    case 'host-name':
      return `${said} does not name its host in full, such as hooks.partner.example.`;
    case 'reserved-name':
      return `${said} names a host of a private network.`;
    case 'characters':
      return `${said} has characters that the bus does not take in an address, or more than 2,048 of them.`;
    case 'spelling':
      return `${said} is to be written as ${new URL(text).href}.`;
    default:
      return fault satisfies never;
  }
};
