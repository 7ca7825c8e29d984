import { messageSchemas } from './schemas/event-message.ts';

/**
 * Prints the JSON Schemas of the messages that partners' endpoints receive, by their files' names. It is a program of its own
 * because what the OpenAPI document adds to the schemas would stand in these, too.
 */
console.log(JSON.stringify(messageSchemas()));
