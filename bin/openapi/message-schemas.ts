import { messageSchemas } from './schemas/event-message.ts';

/**
 * Prints the JSON Schemas of webhook messages, by file name. A separate program, because the OpenAPI document adds
 * metadata to the same schemas.
 */
console.log(JSON.stringify(messageSchemas()));
