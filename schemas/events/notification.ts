import { z } from 'zod'
import type { JsonObject } from '../event.ts'

/**
 * `NotificationsRead` in `notification-<user>`: read notifications of that user. Ids, or all before this event in the
 * log.
 */
export const notificationsReadSchema = z.union([
  z.object({ ids: z.array(z.string()) }),
  z.object({ all: z.literal(true) }),
])

export const NOTIFICATION_PREFIX = 'notification-'
export const notificationStream = (user: string): string => NOTIFICATION_PREFIX + user

/** `NoticeGiven` in `notice-<entity>-<id>`: the system tells the readers of an entity something about it. */
export const noticeGivenSchema = z.object({
  entity: z.string(),
  id: z.string(),
  message: z.string(),
  kind: z.enum(['alert', 'warn', 'info']),
  params: z.record(z.string(), z.json()),
  /** Ids of users who receive it. Default: all readers. */
  recipients: z.array(z.string()).optional(),
})

export type NoticeGiven = {
  readonly entity: string
  readonly id: string
  readonly message: string
  readonly kind: 'alert' | 'warn' | 'info'
  readonly params: JsonObject
  readonly recipients?: readonly string[]
}
export const NOTICE_GIVEN = 'NoticeGiven'

export const noticeStream = (entity: string, id: string): string => `notice-${entity}-${id}`

/** `TinyUrlVisited` in `visits-<mapping>`: visits to its short address since the event before. */
export const tinyUrlVisitedSchema = z.object({ count: z.int().min(1) })

export const visitStream = (mapping: string): string => `visits-${mapping}`

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
