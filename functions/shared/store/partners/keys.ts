/** Keys of the Partners table that belong to partners; one builder an entity. */
export const profileKey = (clientId: string) => ({ pk: `PARTNER#${clientId}`, sk: 'PROFILE' });

/** Apart from the profile, so that only the token service and the operator's tool read hashes of secrets. */
export const hashesKey = (clientId: string) => ({ pk: `HASHES#${clientId}`, sk: 'HASHES' });

/** Apart from the profile, so that nothing that reads partners for a request reads the signature too. */
export const signatureKey = (clientId: string) => ({ pk: `WEBHOOK#${clientId}`, sk: 'SIGNATURE' });

/** Whether the webhooks of the whole stage are stopped (S-77). */
export const webhookSwitchKey = { pk: 'STAGE', sk: 'WEBHOOKS' };

/** How far partners' endpoints were inspected; apart from the switch, so that who inspects cannot turn it. */
export const inspectionKey = { pk: 'TURN', sk: 'ENDPOINTS' };

/** Makes names unique and partners listable without an index. */
export const namesPartition = 'PARTNERS';
export const nameKey = (name: string) => ({ pk: namesPartition, sk: name });
