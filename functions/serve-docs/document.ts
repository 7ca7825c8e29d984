/**
 * A document as it is made with the templates (lib/docs-site), by its path. Addresses in it are examples, which the stage's own
 * take the place of.
 */
export type SiteDocument = {
  type: string;
  text: string;
  /** Its name says what is in it, so that it may be kept for ever. */
  isHashed?: true;
};
export type Site = Record<string, SiteDocument>;

/** What stands in every document where a stage has its own addresses. */
export const exampleAddresses = {
  baseUrl: 'https://api.transactions.example',
  authUrl: 'https://auth.transactions.example',
} as const;

/** What stands before the path of a link within the site: a gateway may have put the name of its stage there. */
export const basePathMark = '/__base__';

/** Where callers reach this stage. */
type StageAddresses = { baseUrl: string; authUrl: string };

/** The text with the addresses of a stage. */
export const ofStage = (text: string, { baseUrl, authUrl }: StageAddresses): string =>
  text
    .replaceAll(exampleAddresses.baseUrl, baseUrl)
    .replaceAll(exampleAddresses.authUrl, authUrl)
    .replaceAll(basePathMark, new URL(baseUrl).pathname.replace(/\/$/, ''));
