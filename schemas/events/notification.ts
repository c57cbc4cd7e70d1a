import { z } from 'zod'

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

export const noticeStream = (entity: string, id: string): string => `notice-${entity}-${id}`

/** `TinyUrlVisited` in `visits-<mapping>`: visits to its short address since the event before. */
export const tinyUrlVisitedSchema = z.object({ count: z.int().min(1) })

export const visitStream = (mapping: string): string => `visits-${mapping}`
