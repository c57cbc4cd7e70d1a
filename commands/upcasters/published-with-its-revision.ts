import type { JsonObject, StoredEvent } from '#schemas/event.ts'

/** Version 1 kept the published revision as `flowrevision`, outside the fields, and the time in the envelope alone. */
export const publishedWithItsRevision = (data: JsonObject, event: StoredEvent): JsonObject => {
  const { flowrevision, ...rest } = data
  const publishedrevision = typeof flowrevision === 'number' ? flowrevision : null
  return { ...rest, fields: { published: true, publishedrevision, published_at: event.time } }
}
