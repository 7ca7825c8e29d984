<?php
/**
 * A receiver of webhooks for PHP 8.1 or later, without any package; it needs PDO with SQLite. Behind your web server, or alone:
 *
 *     SIGNATURES=<your value> SOURCE=svc.staging.online-payments PHP_CLI_SERVER_WORKERS=8 php -S 127.0.0.1:9000 receiver.php
 *
 * It verifies a message, stores it in SQLite (DATABASE, by default receiver.db) in one transaction with its id, then answers.
 * During a rotation SIGNATURES has both values, separated by a space. SHOW_STATE=1 shows what is stored at /state/<uuid>, to
 * anybody: set it only to try the receiver with `transactions-partner attack --state`. TLS is for the server before it.
 */
declare(strict_types=1);

const LARGEST = 100_000; // Bytes of a body; a message has at most 59,000.
const SCHEMA = <<<'SQL'
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, at REAL);
    CREATE TABLE IF NOT EXISTS elements (uuid TEXT, name TEXT, version INTEGER, value TEXT, PRIMARY KEY (uuid, name));
    CREATE TABLE IF NOT EXISTS to_read (uuid TEXT PRIMARY KEY);
    SQL;
const KEEP = <<<'SQL'
    INSERT INTO elements VALUES (?, ?, ?, ?) ON CONFLICT (uuid, name) DO UPDATE
    SET version = excluded.version, value = excluded.value WHERE excluded.version > version
    SQL;

/** Yours: slow work, after the answer. It is not repeated: what must not be lost, `store` puts into a table of yours. */
function work(object $message): void
{
    error_log($message->{'detail-type'} . ' ' . ($message->detail->uuid ?? $message->id));
}

function database(): PDO
{
    $db = new PDO('sqlite:' . (getenv('DATABASE') ?: 'receiver.db'), options: [PDO::ATTR_TIMEOUT => 2]);
    $isMade = $db->query("SELECT 1 FROM sqlite_master WHERE name = 'to_read'")->fetch();
    if (!$isMade) {
        $db->exec(SCHEMA);
    }
    return $db;
}

function run(PDO $db, string $sql, array $values = []): PDOStatement
{
    $statement = $db->prepare($sql);
    $statement->execute($values);
    return $statement;
}

/** Compares with each of your values in constant time. No message brings a value. */
function isOurs(string $presented): bool
{
    $accepted = preg_split('/\s+/', (string) getenv('SIGNATURES'), flags: PREG_SPLIT_NO_EMPTY);
    $guess = hash('sha256', $presented);
    $same = array_map(fn (string $one) => hash_equals(hash('sha256', $one), $guess), $accepted);
    return in_array(true, $same, true);
}

/** Takes what is newer than what is stored, whatever order messages come in. `*` has the version of a deletion. */
function apply(PDO $db, object $detail, int $first, int $last, string $omitted): void
{
    $uuid = $detail->uuid;
    $versions = run($db, 'SELECT name, version FROM elements WHERE uuid = ?', [$uuid])->fetchAll(PDO::FETCH_KEY_PAIR);
    $newest = max([0, ...array_values($versions)]);
    if (($detail->isDeleted ?? 0) === 1) {
        if ($last > $newest) {
            run($db, 'DELETE FROM elements WHERE uuid = ?', [$uuid]);
            run($db, KEEP, [$uuid, '*', $last, null]);
        }
        return;
    }
    if ($last > ($versions['*'] ?? 0)) {
        foreach ($detail as $name => $value) {
            run($db, KEEP, [$uuid, $name, $last, json_encode($value)]);
        }
    }
    if ($first > $newest || $omitted !== '') { // Something is missing: GET /api/v2/transaction/{uuid}, then delete the row.
        run($db, 'INSERT OR IGNORE INTO to_read VALUES (?)', [$uuid]);
    }
}

/** One transaction for the id and what the message brings; of a copy nothing is stored. Says whether it is new. */
function store(PDO $db, object $message, callable $header): bool
{
    $db->exec('BEGIN IMMEDIATE'); // Without COMMIT all of it is undone at the end of the request.
    $isNew = run($db, 'INSERT OR IGNORE INTO seen VALUES (?, ?)', [$message->id, microtime(true)])->rowCount() === 1;
    if ($isNew && $message->{'detail-type'} === 'TransactionUpdated') { // TransactionCompleted is outside the order.
        [$first, $last] = [(int) $header('X_TRANSACTION_FROM_VERSION'), (int) $header('X_TRANSACTION_VERSION')];
        apply($db, $message->detail, $first, $last, $header('X_TRANSACTION_OMITTED'));
    }
    $db->exec('COMMIT');
    return $isNew;
}

function isMessage(mixed $message): bool
{
    [$type, $detail] = [$message->{'detail-type'} ?? null, $message->detail ?? null];
    $texts = [$type, $message->id ?? null, $message->source ?? null];
    if ($type === 'TransactionUpdated') {
        $texts[] = $detail->uuid ?? null;
    }
    return is_object($detail) && array_filter($texts, fn ($text) => !is_string($text) || $text === '') === [];
}

/** The status to answer, and the message where it is new. The signature comes first. */
function receive(): array
{
    $header = fn (string $name): string => $_SERVER["HTTP_$name"] ?? '';
    if (!isOurs($header('X_WEBHOOK_SIGNATURE'))) {
        return [401, null];
    }
    $body = file_get_contents('php://input', length: LARGEST + 1); // Your web server reads chunks, and bounds the time.
    if (strlen($body) > LARGEST) {
        return [413, null];
    }
    $message = json_decode(ltrim($body, "\xEF\xBB\xBF")); // Without a byte order mark.
    if (!isMessage($message) || $message->source !== getenv('SOURCE')) {
        return [400, null];
    }
    return [204, store(database(), $message, $header) ? $message : null];
}

http_response_code(500); // Where anything fails, nothing is stored, and the service sends it again.
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (getenv('SHOW_STATE') && $_SERVER['REQUEST_METHOD'] === 'GET' && str_starts_with($path, '/state/')) {
    $rows = run(database(), 'SELECT name, value FROM elements WHERE uuid = ?', [substr($path, strlen('/state/'))]);
    http_response_code(200);
    echo json_encode(array_map('json_decode', array_filter($rows->fetchAll(PDO::FETCH_KEY_PAIR))));
} elseif ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
} else {
    [$status, $new] = receive();
    http_response_code($status);
    if (function_exists('fastcgi_finish_request')) {
        fastcgi_finish_request(); // The service has its answer; without php-fpm it waits for `work`.
    }
    if ($new !== null) {
        work($new);
    }
}
