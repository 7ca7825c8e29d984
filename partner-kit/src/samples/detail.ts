const ndMeta = {
  group: '0c6f1f0d5e',
  franchise: '7a41c0b2d9',
  branch: 'Sample Motors, Leeds',
  location: 'e58b3a9f64',
  groupSoftware: '',
};

/** What every `detail` has (interface 6.3). */
export const sampleDetail = (uuid: string, status: 0 | 1 = 0): Record<string, unknown> => ({
  uuid,
  status,
  ndMeta,
});

/** A customer whose surname is easy to find. */
export const sampleCustomer = (surname: string) => ({
  title: 'Dr',
  forename: 'Sam',
  surname,
  email: 'sam.sample@example.com',
  mobile: '07700 900123',
});

/** A vehicle with the ids of the lists' filters. */
export const sampleVehicle = (stockId: string) => ({
  make: 'Sample',
  model: 'Estate',
  identifiers: { ndstockid: stockId, salesmasterid: 'SM-1' },
});

/** A payment as interface 2.3 lists it. */
export const samplePayment = (reference: string, seconds: number) => ({
  id: 1,
  transaction_id: 1,
  hash: '1f2e3d4c5b6a79880f1e2d3c4b5a69788f9e0d1c',
  token: null,
  reference,
  provider_references: null,
  type: 1,
  product_identifier: 'PAY',
  value: '250.00',
  status: 1,
  message: null,
  is_selected: 1,
  settings: null,
  details: { type: 'card', brand: 'visa', method: 'online', funding: 'credit' },
  transaction_completed_at: null,
  created_at: seconds,
  created_by: 'v2/payment/create',
  updated_at: seconds,
  updated_by: 'v2/payment/create',
  gateway_id: null,
});
