"""Lists, filters and pays with the client that openapi-python-client makes."""

import json
import os

from transactions import AuthenticatedClient
from transactions.api.payments import create_payment
from transactions.api.transactions import list_transactions
from transactions.models import NewPayment, NewPaymentStatus, PaymentRecord, TransactionList

transaction = os.environ["TRANSACTION"]
client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["TOKEN"])

page = list_transactions.sync(client=client, per_page=2)
filtered = list_transactions.sync(client=client, filteruuid=transaction, fields="uuid,payments.value")
body = NewPayment(transaction=transaction, type_=1, value="12.50", status=NewPaymentStatus.VALUE_1)
payment = create_payment.sync(client=client, body=body, idempotency_key=transaction)
assert isinstance(page, TransactionList) and isinstance(filtered, TransactionList) and isinstance(payment, PaymentRecord)

found = [one.uuid for one in filtered.data]
print(json.dumps({"listed": len(page.data), "found": found, "paid": payment.value}))
