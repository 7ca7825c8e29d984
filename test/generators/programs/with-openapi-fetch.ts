import createClient from 'openapi-fetch';
import type { paths } from './schema';

const { BASE_URL = '', TOKEN = '', TRANSACTION = '' } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${TOKEN}` } });

const main = async () => {
  const list = await client.GET('/api/v2/transaction', { params: { query: { 'per-page': 2 } } });
  const filtered = await client.GET('/api/v2/transaction', {
    params: { query: { 'filter[uuid]': TRANSACTION, fields: 'uuid,payments.value' } },
  });
  const payment = await client.POST('/api/v2/payment', {
    params: { header: { 'Idempotency-Key': TRANSACTION } },
    body: { transaction: TRANSACTION, type: 1, value: '12.50', status: 1 },
  });
  const listed = list.data?.data.length;
  const found = filtered.data?.data.map(({ uuid }) => uuid);
  console.log(JSON.stringify({ listed, found, paid: payment.data?.value }));
};

void main();
