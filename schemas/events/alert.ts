/**
 * An alert on its way to the address of a level, in `alert-<id>`:
 * - `AlertQueued` {level, entity, entityid, name, message, kind, params, time, isTest}: first event. `level` has the
 *   address. The id is that of the notice, so that of several nodes one queues it.
 * - `AlertJoined` {notice}: the same notice again, within 30 minutes.
 * - `AlertTaken` {node, until}: a node sends it, until that time (ms since 1970).
 * - `AlertTried` {tries, status, refusal, ms, due}: `status` of the answer, or the `refusal` {code, params} of the call.
 *   `due`: ms since 1970 of the next attempt; null: it arrived, or was given up.
 */
export const ALERT_PREFIX = 'alert-'
export const alertStream = (id: string): string => ALERT_PREFIX + id

/** Alerts are shown for this long, ms. */
export const ALERT_KEPT_MS = 30 * 86_400_000
