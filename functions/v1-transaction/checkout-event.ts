import type { SessionEvent } from '../shared/middleware/authenticate-session.ts';
import type { OriginEvent } from '../shared/middleware/cors.ts';
import type { RoutedEvent } from './route.ts';

/** A checkout's request, with its route, its session and the storefronts of its origin. */
export type CheckoutEvent = RoutedEvent & SessionEvent & OriginEvent;
