import { createEndpointStore } from '../../../functions/shared/store/partners/endpoints.ts';
import { createPartnerStore } from '../../../functions/shared/store/partners/store.ts';

/** Partners in a table, and their signatures, which only `keep-endpoints` reads. */
export const createSignedPartnerStore = (access: Parameters<typeof createPartnerStore>[0]) => ({
  ...createPartnerStore(access),
  signatureOf: async (clientId: string) => (await createEndpointStore(access).read(clientId)).signature,
});
