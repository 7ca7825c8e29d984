import type { Construct } from 'constructs';
import type { RefusalCause } from '../../../functions/shared/domain/wrong-secrets.ts';
import type { Addresses } from '../../config.ts';
import type { DataStack } from '../../data-stack.ts';
import { ServiceFunction } from '../service-function.ts';
import { addAlarm, ownMetric } from '../watch/alarms.ts';
import { alarmOnRefusals } from './api-alarms.ts';
import { type ApiProps, ServiceRestApi } from './rest-api.ts';

/** In five minutes, over all partners. */
const mostWrongSecrets = 50;

const acceptedFindings = {
  'AwsSolutions-APIG2':
    'Models of the gateway are for JSON, and requests here are forms: the function parses each by one schema.',
  'AwsSolutions-APIG4':
    'Its callers come for a token: the function verifies the client itself, and keys and metadata are public.',
};

const paths = [
  '/oauth2/token',
  '/oauth2/introspect',
  '/oauth2/revoke',
  '/oauth2/secret',
  '/oauth2/jwks',
  '/.well-known/oauth-authorization-server',
];

/** The REST API of the token service: it issues access tokens and publishes the keys that verify them (TOK-1). */
export class TokenApi extends ServiceRestApi {
  constructor(scope: Construct, props: ApiProps) {
    super(scope, 'TokenApi', {
      ...props,
      ownHost: props.config.ownDomain?.authHost,
      description: `Transactions (${props.config.name}): token service`,
      name: 'tokens',
      acceptedFindings,
    });
  }

  /** Makes the function, which `TransactionsApi.describe` uses as well. */
  serve(addresses: Addresses, { tables, audit, secrets, encryptionKey }: DataStack): ServiceFunction {
    const issueToken = new ServiceFunction(this, 'IssueToken', {
      config: this.config,
      encryptionKey,
      name: 'issue-token',
      reservedConcurrency: this.config.reservedConcurrency.issueToken,
      variables: { AUTH_URL: addresses.authUrl, API_AUDIENCE: `${addresses.baseUrl}/api/v2` },
    })
      .uses('PARTNERS_TABLE', tables.partners, {
        GetItem: ['KEYS'],
        BatchGetItem: ['PARTNER#*', 'HASHES#*', 'USE#*'],
        UpdateItem: ['USE#*'],
      })
      .setsOfPartners(tables.partners, 'PARTNER#*', ['revokedAtMs'])
      .setsOfPartners(tables.partners, 'PARTNER#*', ['secrets'])
      .setsOfPartners(tables.partners, 'HASHES#*', ['hashes'])
      .uses('REQUESTS_TABLE', tables.requests, {
        GetItem: ['IDEM#*', 'REVOKED#*', 'WRONG#*'],
        PutItem: ['IDEM#*', 'REVOKED#*'],
        UpdateItem: ['RATE#*', 'WRONG#*'],
      })
      .appendsAudit(tables.partners, audit)
      .readsSecret('ACCESS_KEYS_SECRET', secrets.accessKeys)
      .readsSecret('PEPPER_SECRET', secrets.pepper);

    alarmOnRefusals(this, this.api, this.config);
    this.alarmOnWrongSecrets();
    this.route(paths, issueToken);
    return issueToken;
  }

  /** Alarms on wrong secrets by cause. The log lines CLIENT_REFUSED name the client (O-55, S-20). */
  private alarmOnWrongSecrets(): void {
    const { config } = this;
    const refused = (cause: RefusalCause) => ownMetric(config, 'issue-token', 'refusedClients', cause);
    addAlarm(this, 'Guessing', {
      ...{ config, name: 'secrets-guessed' },
      metric: refused('guessing'),
      bounds: { above: 0 },
    });
    addAlarm(this, 'WrongSecrets', {
      ...{ config, name: 'secrets-wrong' },
      metric: refused('wrong-secret'),
      bounds: { above: mostWrongSecrets },
    });
    addAlarm(this, 'EndedSecrets', {
      ...{ config, name: 'secret-ended' },
      metric: refused('ended-secret'),
      bounds: { above: 0 },
    });
  }
}
