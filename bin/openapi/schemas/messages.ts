import { messageTypes } from '../../../functions/shared/domain/event/event.ts';
import { dormancyText } from '../dormancy.ts';
import './elements.ts';
import { completedDetail, deletedDetail, messages, updatedDetail } from './event-message.ts';
import { named } from './named.ts';

named(updatedDetail, 'TransactionUpdatedDetail', {});
named(deletedDetail, 'TransactionDeletedDetail', {});
named(completedDetail, 'TransactionCompletedDetail', {});

for (const type of messageTypes) named(messages[type], `${type}Message`, {});
named(messages.TransactionUpdated, 'TransactionUpdatedMessage', {
  description: `A property of the transaction changed. Sent when it has not been updated for ${dormancyText}.`,
});

export { messages };
