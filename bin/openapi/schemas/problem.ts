import { z } from 'zod';
import { problemExamples } from '../examples/problems.ts';
import { named } from './named.ts';

const fieldError = named(
  z.strictObject({
    field: z
      .string()
      .describe(
        'The parameter, member or header as the caller wrote it: `filter[nope]`, `payments.0.value`.',
      ),
    message: z.string().describe('What is wrong with it, in a sentence.'),
  }),
  'FieldError',
  { description: 'One refused parameter or member.' },
);

/** Every refusal under `/api` and `/v2` (ERR-1). */
export const problem = named(
  z.strictObject({
    type: z
      .string()
      .describe(
        'Address of the paragraph that explains the problem; what stands after `#` is its name at every stage.',
      ),
    title: z.string().describe('The reason phrase of the status.'),
    status: z
      .int()
      .min(400)
      .max(599)
      .optional()
      .describe('The status again; absent where only the gateway knows it.'),
    detail: z.string().describe('What happened, in a sentence.'),
    instance: z.string().describe('The path of the request, or an id of it as a URN.'),
    name: z.string().describe('The same text as `title`, for older clients.'),
    message: z.string().describe('The same text as `detail`, for older clients.'),
    code: z.literal(0).describe('Always 0. Older clients expect the member.'),
    requestId: z.string().describe('Quote it when you report the problem; it is `Request-Id` as well.'),
    errors: z
      .array(fieldError)
      .min(1)
      .max(100)
      .optional()
      .describe('Each parameter, member or header at fault, wherever there is one: with 422 always.'),
  }),
  'Problem',
  {
    description: 'A refusal or a fault: the members of RFC 9457, and those that clients of the service know.',
    examples: problemExamples,
  },
);

/** Every refusal of the token service, and of a sign-in (ERR-6, V1-10). */
export const oauthError = named(
  z.strictObject({
    error: z
      .enum([
        'invalid_request',
        'invalid_client',
        'unauthorized_client',
        'unsupported_grant_type',
        'invalid_grant',
        'invalid_scope',
        'temporarily_unavailable',
        'server_error',
      ])
      .describe('The kind of refusal, by a code that programs can compare.'),
    error_description: z.string().describe('What happened, in a sentence.'),
  }),
  'OAuthError',
  { description: 'A refusal in the words of RFC 6749, section 5.2.' },
);
