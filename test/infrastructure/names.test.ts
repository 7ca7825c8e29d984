import { expect, test } from '@jest/globals';
import { templatesOf } from '../support/engine/templates.ts';

/** Names that are unique in an account and region, or in a stack that is not deleted with them. */
const kinds: Record<string, string> = {
  'AWS::CloudTrail::Trail': 'TrailName',
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Events::EventBus': 'Name',
  'AWS::Events::Rule': 'Name',
  'AWS::IAM::Role': 'RoleName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::WAFv2::WebACL': 'Name',
};

const named = Object.values(templatesOf('production'))
  .flatMap(({ Resources }) => Object.entries(Resources))
  .flatMap(([id, { Type, Properties }]) => {
    const name = Properties?.[kinds[Type] ?? ''];
    return typeof name === 'string' ? [`${name} ${id}`] : [];
  });

test('D-07 a resource with a fixed name keeps its logical id, because a moved one fails to update while the name exists', () => {
  expect(named.toSorted()).toEqual([
    'transactions-production FirewallAclD0B8A356',
    'transactions-production PartnerBus13655F7E',
    'transactions-production WatchDashboardPageBE4F7B0A',
    'transactions-production WatchOwnTrailBCC0CA60',
    'transactions-production-anonymous-creations WatchTRANSACTIONCREATED6D036807',
    'transactions-production-answers-faulty-issue-token TokenApiIssueTokenFaulty0333682B',
    'transactions-production-answers-faulty-serve-docs TransactionsApiServeDocsFaulty3111AAAD',
    'transactions-production-answers-faulty-v1-transaction TransactionsApiV1TransactionFaulty3EC8D920',
    'transactions-production-answers-faulty-v2-partner TransactionsApiV2PartnerFaulty9A25CDEC',
    'transactions-production-answers-faulty-v2-read TransactionsApiV2ReadFaulty68925D7A',
    'transactions-production-answers-faulty-v2-write TransactionsApiV2WriteFaultyD9487505',
    'transactions-production-api-faults-TokenApi TokenApiFaultsE3DFB4D0',
    'transactions-production-api-faults-TransactionsApi TransactionsApiFaults1681B54D',
    'transactions-production-api-slow-TokenApi TokenApiSlow3B577FCD',
    'transactions-production-api-slow-TransactionsApi TransactionsApiSlowBBCDE3F1',
    'transactions-production-bus-silent DormantPublisherBusSilent46F3BC74',
    'transactions-production-callers-blocked FirewallBlocked963DCDD4',
    'transactions-production-certificate-expires WatchCertificateExpires8D2D0E22',
    'transactions-production-changes-given-up ChangeCaptureGaveUpE93A99DE',
    'transactions-production-changes-repaired ReconcilerRepaired9EE63CB6',
    'transactions-production-completions-late DormantPublisherCompletedLate1BC42D4F',
    'transactions-production-daily-reconcile-silent ReconcilerDailySilentB04F54AC',
    'transactions-production-dead-letters-left DeadLetterCollectorNotCollectedF720728D',
    'transactions-production-dead-letters-lost WatchDeadLetterLost735D174A',
    'transactions-production-endpoint-differs EndpointKeeperDiffers58BC0276',
    'transactions-production-events-dead DeadLetterCollectorUndelivered6C194A52',
    'transactions-production-events-failing DormantPublisherRowsFail5ACAAD8B',
    'transactions-production-events-refused DormantPublisherRefusedEDB9182F',
    'transactions-production-function-fails-capture-change ChangeCaptureCaptureChangeFails4D806F96',
    'transactions-production-function-fails-collect-dead-letters DeadLetterCollectorCollectDeadLettersFailsACA4FC28',
    'transactions-production-function-fails-keep-endpoints EndpointKeeperKeepEndpointsFails1BFD3397',
    'transactions-production-function-fails-publish-dormant DormantPublisherPublishDormantFailsA5E83407',
    'transactions-production-function-fails-reconcile ReconcilerReconcileFails6428B97A',
    'transactions-production-function-fails-rotate-keys SigningKeysRotateKeysFailsDED008EF',
    'transactions-production-function-fails-sweep-expired ExpirySweepSweepExpiredFailsE1F33E2D',
    'transactions-production-functions-throttled WatchThrottledBA1B96B4',
    'transactions-production-key-in-danger WatchStoreGuardkeyindangerBC3AFA12',
    'transactions-production-key-in-danger WatchStoreGuardkeyindangerRings03ECA7BA',
    'transactions-production-listing-drifts WatchLISTINGDRIFTSD7F7F328',
    'transactions-production-partner-failing WatchPartnerFails01237772',
    'transactions-production-reconcile-silent ReconcilerReconcileFunctionSilentF99A0E39',
    'transactions-production-recovery-off WatchStoreGuardrecoveryoffB6C898D6',
    'transactions-production-recovery-off WatchStoreGuardrecoveryoffRings19304051',
    'transactions-production-secret-ended TokenApiEndedSecretsE143F8B9',
    'transactions-production-secret-in-danger WatchStoreGuardsecretindanger24C1961E',
    'transactions-production-secret-in-danger WatchStoreGuardsecretindangerRings98A1737C',
    'transactions-production-secrets-guessed TokenApiGuessing8EB71EB3',
    'transactions-production-secrets-wrong TokenApiWrongSecretsDBFE2B1D',
    'transactions-production-signing-fails WatchSIGNINGFAILEDC40003EF',
    'transactions-production-stream-behind ChangeCaptureBehindCDF22DB7',
    'transactions-production-sweep-silent ExpirySweepSweepExpiredFunctionSilent5A110B4E',
    'transactions-production-table-throttled-read WatchTableReads95C722C7',
    'transactions-production-table-throttled-write WatchTableWritesA30E2E15',
    'transactions-production-tokens-refused TokenApiRefusals0D41A7D0',
    'transactions-production-updates-late DormantPublisherNotifiedLateFCB8EF48',
    'transactions-production-updates-waiting DormantPublisherLateB62FE22D',
    'transactions-production-usage-unusual WatchSpendingUsage2BCE7FA6',
    'transactions-production-watch-in-danger WatchStoreGuardwatchindanger19386291',
    'transactions-production-watch-in-danger WatchStoreGuardwatchindangerRingsDAFA8AE2',
    'transactions-production-writes-costly WatchWriteCost99D0900E',
  ]);
});
