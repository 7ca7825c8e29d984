import { z } from 'zod';
import { problemExamples } from '../examples/problems.ts';
import { named } from './named.ts';

const fieldError = named(
  z.strictObject({
    field: z
      .string()
      .describe('The parameter, member or header, as you wrote it: `filter[nope]`, `payments.0.value`.'),
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
        'Address of the paragraph that explains the problem. Compare what stands after `#`: it is the same on every stage.',
      ),
    title: z.string().describe('The reason phrase of the status.'),
    status: z
      .int()
      .min(400)
      .max(599)
      .optional()
      .describe('The HTTP status; absent if only the gateway knows it.'),
    detail: z.string().describe('What happened, in a sentence for people.'),
    instance: z.string().describe('The path of the request, or an id of it as a URN.'),
    name: z.string().describe('The same text as `title`, for older clients.'),
    message: z.string().describe('The same text as `detail`, for older clients.'),
    code: z.literal(0).describe('Always 0. Older clients expect the member.'),
    requestId: z
      .string()
      .describe('ID of the request, as in the header `Request-Id`. Quote it when you report the problem.'),
    errors: z
      .array(fieldError)
      .min(1)
      .max(100)
      .optional()
      .describe('Each parameter, member or header at fault. Always there with 422.'),
  }),
  'Problem',
  {
    description: 'A refusal or a fault: the members of RFC 9457, and some for older clients.',
    examples: problemExamples,
  },
);

/** Every refusal by the token service, and of a sign-in (ERR-6, V1-10). */
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
      .describe('Code of the refusal, for programs.'),
    error_description: z.string().describe('What happened, in a sentence for people.'),
  }),
  'OAuthError',
  { description: 'A refusal in the format of RFC 6749, section 5.2.' },
);
