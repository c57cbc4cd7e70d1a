import { z } from 'zod'

/**
 * `NotificationsRead` in `notification-<user>`: what that user has seen. Ids, or all that came before this event in the log.
 */
export const notificationsReadSchema = z.union([
  z.object({ ids: z.array(z.string()) }),
  z.object({ all: z.literal(true) }),
])

export const NOTIFICATION_PREFIX = 'notification-'
export const notificationStream = (user: string): string => NOTIFICATION_PREFIX + user
