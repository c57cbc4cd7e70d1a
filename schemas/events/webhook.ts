/**
 * State of the sending of a webhook, in `webhooksent-<id>`; its own stream has its fields:
 * - `WebhookAdvanced` {position}: all events up to this cursor arrived, or are in a `WebhookFailed`. Every 100 events or 5 s.
 * - `WebhookFailed` {event, type, tries, status, at, next, body?, asked?}: an attempt failed. `at`, `next`: ms since 1970 of it
 *   and of the next one. `asked`: a person retries it; it ignores `Retry-After`. `body`: the bytes that are signed again, of the first failure alone; about a user, encrypted under their key.
 * - `WebhookArrived` {event}: an event with failures arrived.
 * - `WebhookGivenUp` {event}: no attempt is left.
 * - `WebhookTurnedOff` {}: failures alone for 75 hours turned it off. The count begins again.
 */
const SENT_PREFIX = 'webhooksent-'
export const webhookSentStream = (id: string): string => SENT_PREFIX + id

/** Lease of the node that sends, in `webhooklease-<id>`. */
export const webhookLeaseStream = (id: string): string => `webhooklease-${id}`
