import { exampleAddresses } from '../../../functions/serve-docs/document.ts';

/** Where the two services stand in the kept document; a stage that serves it puts its own addresses there. */
export const addresses = exampleAddresses;
