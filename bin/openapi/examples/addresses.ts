import { exampleAddresses } from '../../../functions/serve-docs/document.ts';

/** The addresses of the two services in the committed document. A stage replaces them with its own. */
export const addresses = exampleAddresses;
