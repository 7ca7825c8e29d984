import type { Clock } from '../../functions/shared/runtime/clock.ts';
import type { Answer } from './answer.ts';

/** Two versions that are to be taken, two that are not. */
export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** How a stage is reached. */
export type Reach = {
  /** Redirects are answers, not followed. */
  send: (url: string, init?: RequestInit) => Promise<Answer>;
  /** Whether the host of an address makes a connection of this version. */
  takes: (url: string, version: TlsVersion) => Promise<boolean>;
  wait: (ms: number) => Promise<unknown>;
  now: Clock;
  /** Something else answers in the place of AWS, without TLS. */
  isEmulated: boolean;
};

/** Where a stage answers. */
export type Addresses = {
  baseUrl: string;
  authUrl: string;
  /** What API Gateway itself calls the two APIs; none on a local stage. */
  gatewayUrls: readonly string[];
};

export type Credentials = { clientId: string; clientSecret: string };

/** A partner, a storefront and a group that were made for one run. */
export type Guest = Credentials & {
  name: string;
  /** From which its storefront is used. */
  origin: string;
  /** What its webhooks are signed with. */
  signature: string;
  /** Runs one command of the operator's tool and returns the JSON document that it prints. */
  operator: (...words: string[]) => Promise<unknown>;
};

/** One run against one stage. */
export type Visit = Reach &
  Addresses & {
    partner?: Credentials;
    guest?: Guest;
    /** Where webhooks are to arrive. */
    receiver?: string;
    /** So many requests at once, to meet the throttle. */
    burst?: number;
    /** Says what a person has to look at. */
    note: (text: string) => void;
  };

/** Whether the two APIs have names of their own. */
export const hasOwnDomain = ({ baseUrl, gatewayUrls }: Addresses): boolean =>
  gatewayUrls.length > 0 && !gatewayUrls.includes(baseUrl);
