<?php
/** Lists, filters and pays with the client that openapi-generator makes; AUTOLOAD has Guzzle. */
declare(strict_types=1);

use OpenAPI\Client\Api\PaymentsApi;
use OpenAPI\Client\Api\TransactionsApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\NewPayment;

require getenv('AUTOLOAD');
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});

$transaction = getenv('TRANSACTION');
$configuration = Configuration::getDefaultConfiguration()
    ->setHost(getenv('BASE_URL'))
    ->setAccessToken(getenv('TOKEN'));
$transactions = new TransactionsApi(config: $configuration);

$page = $transactions->listTransactions(per_page: 2);
$filtered = $transactions->listTransactions(filter_uuid: $transaction, fields: 'uuid,payments.value');
$body = new NewPayment(['transaction' => $transaction, 'type' => 1, 'value' => '12.50', 'status' => 1]);
$payment = (new PaymentsApi(config: $configuration))->createPayment($body, $transaction);

$found = array_map(fn ($one) => $one->getUuid(), $filtered->getData());
echo json_encode(['listed' => count($page->getData()), 'found' => $found, 'paid' => $payment->getValue()]), "\n";
