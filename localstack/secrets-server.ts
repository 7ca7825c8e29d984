import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CloudSecret } from './cloud.ts';
import { readJsonFile, writePrivateJson } from './private-json.ts';

type Stored = { name: string; arn: string; createdAt: string; version?: { id: string; value: string } };
type Reply = { status: number; body: Record<string, unknown> };
export type SecretsServer = { endpoint: string; stop: () => Promise<void> };

/** Secrets Manager on loopback, as far as our code uses it; values live in one file that only its owner may read. */
export const startSecretsServer = async (
  file: string,
  declared: readonly CloudSecret[],
): Promise<SecretsServer> => {
  const vault = openVault(file, declared);
  const server = createServer(async (request, response) => {
    const reply = perform(vault, String(request.headers['x-amz-target']), await readJson(request));
    response.writeHead(reply.status, { 'Content-Type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(reply.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
};

type Vault = { find: (id: unknown) => Stored | undefined; save: () => void };

/** Secrets keep their values from start to start; a new one with a generated value draws it once, as CloudFormation does. */
const openVault = (file: string, declared: readonly CloudSecret[]): Vault => {
  const stored = readJsonFile<Stored[]>(file) ?? [];
  const save = () => writePrivateJson(file, stored);
  for (const { arn, name, generated } of declared.filter(
    ({ arn }) => !stored.some((one) => one.arn === arn),
  )) {
    const version = generated && newVersion(randomText(generated.length, generated.punctuation));
    stored.push({ name, arn, createdAt: new Date().toISOString(), ...(version && { version }) });
  }
  save();
  return { find: (id) => stored.find(({ name, arn }) => id === name || id === arn), save };
};

const newVersion = (value: string) => ({ id: randomUUID(), value });

const randomText = (length: number, withPunctuation: boolean): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const alphabet = withPunctuation ? `${letters}!#$%&()*+,-./:;<=>?@[]^_{|}~` : letters;
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
};

const perform = (vault: Vault, target: string, input: Record<string, unknown>): Reply => {
  const operation = target.replace('secretsmanager.', '');
  const secret = vault.find(input.SecretId);
  if (!(operation in operations)) {
    return fault('InvalidActionException', `The local stage does not know ${target}.`);
  }
  if (!secret) return fault('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  return operations[operation as keyof typeof operations](secret, vault, input);
};

const operations = {
  GetSecretValue: ({ arn, name, version }: Stored): Reply => {
    if (!version) return fault('ResourceNotFoundException', noValue);
    return success({ ARN: arn, Name: name, ...versionOf(version), SecretString: version.value });
  },
  PutSecretValue: (secret: Stored, vault: Vault, input: Record<string, unknown>): Reply => {
    if (typeof input.SecretString !== 'string') {
      return fault('InvalidParameterException', 'The local stage keeps SecretString only.');
    }
    const version = newVersion(input.SecretString);
    secret.version = version;
    vault.save();
    return success({ ARN: secret.arn, Name: secret.name, ...versionOf(version) });
  },
};

const noValue = "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT";
const versionOf = ({ id }: { id: string }) => ({ VersionId: id, VersionStages: ['AWSCURRENT'] });
const success = (body: Record<string, unknown>): Reply => ({ status: 200, body });
const fault = (type: string, message: string): Reply => ({ status: 400, body: { __type: type, message } });

const readJson = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return {};
  }
};
