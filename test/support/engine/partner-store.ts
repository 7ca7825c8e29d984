import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import { createEndpointStore } from '../../../functions/shared/store/partners/endpoints.ts';

/** Partners in a table, and their signatures, which only `keep-endpoints` reads. */
export const createSignedPartnerStore = (access: Parameters<typeof createPartnerStore>[0]) => ({
  ...createPartnerStore(access),
  signatureOf: async (clientId: string) => (await createEndpointStore(access).read(clientId)).signature,
});
