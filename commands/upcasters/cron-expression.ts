import type { JsonObject } from '#schemas/event.ts'

/** Version 1 named the schedule of a campaign `cron`. */
export const cronExpression = (data: JsonObject): JsonObject => {
  const { cron, ...fields } = data.fields as JsonObject
  return cron === undefined ? data : { ...data, fields: { ...fields, cron_expression: cron } }
}
