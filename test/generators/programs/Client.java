import client.ApiClient;
import client.api.PaymentsApi;
import client.api.TransactionsApi;
import client.model.NewPayment;
import client.model.PaymentRecord;
import client.model.TransactionList;

/** Lists, filters and pays with the client that openapi-generator makes. */
public class Client {
    public static void main(String[] args) {
        String transaction = System.getenv("TRANSACTION");
        ApiClient client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
        client.setAccessToken(System.getenv("TOKEN"));
        TransactionsApi transactions = new TransactionsApi(client);
        String fields = "uuid,payments.value";

        TransactionList page =
                transactions.listTransactions(null, null, null, null, null, null, null, 2L, null, null, null);
        TransactionList filtered =
                transactions.listTransactions(transaction, null, null, null, null, fields, null, null, null, null, null);
        NewPayment body = new NewPayment()
                .transaction(transaction)
                .type(1L)
                .value("12.50")
                .status(NewPayment.StatusEnum.NUMBER_1);
        PaymentRecord payment = new PaymentsApi(client).createPayment(body, transaction, null);

        String found = filtered.getData().get(0).getUuid();
        System.out.printf(
                "{\"listed\":%d,\"found\":[\"%s\"],\"paid\":\"%s\"}%n", page.getData().size(), found, payment.getValue());
    }
}
