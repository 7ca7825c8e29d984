import './elements.ts';
import { completedDetail, deletedDetail, messages, updatedDetail } from './event-message.ts';
import { named } from './named.ts';

named(updatedDetail, 'TransactionUpdatedDetail', {});
named(deletedDetail, 'TransactionDeletedDetail', {});
named(completedDetail, 'TransactionCompletedDetail', {});

export const updatedMessage = named(messages['transaction-updated'], 'TransactionUpdatedMessage', {});
export const completedMessage = named(messages['transaction-completed'], 'TransactionCompletedMessage', {});
export const testMessage = named(messages['webhook-test'], 'WebhookTestMessage', {});
