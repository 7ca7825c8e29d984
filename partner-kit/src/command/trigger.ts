import type { Command } from 'commander';
import { inWords, isTaken } from '../attack/check.ts';
import { consequenceOf } from '../attack/judge.ts';
import { type EventType, eventTypes, hasTransaction } from '../event-types.ts';
import { sampleCustomer, sampleDetail, samplePayment } from '../samples/detail.ts';
import { sampleBody, sampleHeaders, signatureHeader } from '../samples/message.ts';
import { type Answer, createPost } from '../samples/post.ts';
import { receiverUrl, serviceLimitMs } from './address.ts';
import type { CommandContext, CommandResult, RunCommand } from './context.ts';
import { needed } from './settings.ts';
import { UserError } from './user-error.ts';
import { wholeNumber } from './whole-number.ts';

type TriggerOptions = { uuid?: string; from?: string; to?: string };

/** `trigger`: one sample event to any address. */
export const addTriggerCommand = (program: Command, run: RunCommand): void => {
  program
    .command('trigger')
    .description('Send one sample event to an address, with the headers of the service.')
    .argument('<type>', eventTypes.join(', '))
    .argument('<url>', 'of the receiver')
    .option('--uuid <uuid>', 'of the transaction (default: one that does not exist)')
    .option('--from <version>', 'X-Transaction-From-Version', '0')
    .option('--to <version>', 'X-Transaction-Version', '1')
    .option('--source <source>', aboutSource)
    .option(
      '--signature <value>',
      'instead of TRANSACTIONS_WEBHOOK_SIGNATURE; visible in the list of processes',
    )
    .addHelpText('after', examples)
    .action(run(trigger));
};

const examples = `
Examples:
  transactions-partner trigger WebhookTest http://localhost:3000/webhooks
  transactions-partner trigger TransactionUpdated http://localhost:3000/webhooks --from 1 --to 2
  transactions-partner trigger TransactionCompleted --local http://127.0.0.1:8788/webhooks/northgate-crm`;

const trigger = async (
  { deps, settings }: CommandContext,
  options: TriggerOptions,
  type: string,
  address: string,
): Promise<CommandResult> => {
  const url = receiverUrl(address).href;
  const sample = sampleOf(typeOf(type), options, deps, settings.source ?? defaultSource);
  const headers = { ...sample.headers, [signatureHeader]: needed(settings, 'webhookSignature') };
  const post = createPost({ nowMs: deps.nowMs, limitMs: deps.limitMs ?? serviceLimitMs });
  const answer = await post({ url, headers, body: sample.body });
  return answered(sample, type, answer);
};

/** Staging is the place for trials. */
export const defaultSource = 'svc.staging.online-payments';
export const aboutSource = `source of the events (default: that of the credentials, or ${defaultSource})`;

const typeOf = (text: string): EventType => {
  const type = eventTypes.find((one) => one === text);
  if (type) return type;
  throw new UserError(`"${text}" is not an event type: choose one of ${eventTypes.join(', ')}.`);
};

type Sample = { id: string; uuid: string; headers: Record<string, string>; body: string };

const sampleOf = (
  type: EventType,
  options: TriggerOptions,
  { newId, now, randomText }: CommandContext['deps'],
  source: string,
): Sample => {
  const publishedAt = now();
  const [id, uuid] = [newId(), options.uuid ?? `${newId()}-${randomText(4).toLowerCase()}`];
  const range = { from: versionOf('--from', options.from), to: versionOf('--to', options.to) };
  const detail = detailOf(type, uuid, publishedAt);
  const headers = sampleHeaders(id, { range: hasTransaction(type) ? range : undefined });
  return { id, uuid, headers, body: sampleBody({ id, type, source, publishedAt, detail }) };
};

const detailOf = (type: EventType, uuid: string, publishedAt: Date) => {
  switch (type) {
    case 'WebhookTest':
      return {};
    case 'TransactionUpdated':
      return { ...sampleDetail(uuid), customer: sampleCustomer('Sample') };
    case 'TransactionCompleted':
      return {
        ...sampleDetail(uuid, 1),
        payments: [samplePayment('sample', Math.floor(publishedAt.getTime() / 1000))],
      };
  }
};

const versionOf = (option: string, text = '0'): number =>
  wholeNumber(option, text, { least: 0, most: 999_999_999 });

const answered = ({ id, uuid }: Sample, type: string, answer: Answer): CommandResult => {
  const seen = `${inWords(answer)} after ${Math.round(answer.tookMs)} ms`;
  const what = hasTransaction(type) ? `${type} of ${uuid}` : type;
  return {
    text: `${what} (id ${id}): ${seen}\n${isTaken(answer) ? '' : `${consequenceOf(answer)}\n`}`,
    json: { type, id, ...(hasTransaction(type) && { uuid }), answer },
    exitCode: isTaken(answer) ? 0 : 1,
  };
};
