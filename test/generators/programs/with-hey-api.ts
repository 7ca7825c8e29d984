import { createPayment, listTransactions } from './hey';
import { client } from './hey/client.gen';

const { BASE_URL = '', TOKEN = '', TRANSACTION = '' } = process.env;
client.setConfig({ baseUrl: BASE_URL, auth: TOKEN });

const main = async () => {
  const list = await listTransactions({ query: { 'per-page': 2 } });
  const filtered = await listTransactions({
    query: { 'filter[uuid]': TRANSACTION, fields: 'uuid,payments.value' },
  });
  const payment = await createPayment({
    headers: { 'Idempotency-Key': TRANSACTION },
    body: { transaction: TRANSACTION, type: 1, value: '12.50', status: 1 },
  });
  const listed = list.data?.data.length;
  const found = filtered.data?.data.map(({ uuid }) => uuid);
  console.log(JSON.stringify({ listed, found, paid: payment.data?.value }));
};

void main();
