import type { JsonObject, StoredEvent } from '#schemas/event.ts'

/** Version 1 named the scope `user` of a variable `userdata`. */
export const variableScope = (data: JsonObject): JsonObject => {
  const fields = data.fields as JsonObject
  return fields.scope === 'userdata' ? { ...data, fields: { ...fields, scope: 'user' } } : data
}

/** Version 1 kept the published revision as `flowrevision`, outside the fields, and the time in the envelope alone. */
const publishedWithItsRevision = (data: JsonObject, event: StoredEvent): JsonObject => {
  const { flowrevision, ...rest } = data
  const publishedrevision = typeof flowrevision === 'number' ? flowrevision : null
  return { ...rest, fields: { published: true, publishedrevision, published_at: event.time } }
}

/** Version 1 named a code sample's document `markdowndoc`. */
const markdownDoc = (data: JsonObject): JsonObject => {
  const { markdowndoc, ...fields } = data.fields as JsonObject
  return markdowndoc === undefined ? data : { ...data, fields: { ...fields, markdown_doc: markdowndoc } }
}

/** Version 1 named the schedule of a campaign `cron`. */
const cronExpression = (data: JsonObject): JsonObject => {
  const { cron, ...fields } = data.fields as JsonObject
  return cron === undefined ? data : { ...data, fields: { ...fields, cron_expression: cron } }
}

/** Version 1 had no way of the sign-in: there were passwords alone. */
const byPassword = (data: JsonObject): JsonObject => ({
  ...data,
  way: 'password',
  provider: null,
  sub: null,
  sid: null,
})

type Upcaster = (data: JsonObject, event: StoredEvent) => JsonObject

/** By event type: the step from version 1 to 2, from 2 to 3 and so on. */
const UPCASTERS: Readonly<Record<string, readonly Upcaster[]>> = {
  CampaignChanged: [cronExpression],
  CampaignCreated: [cronExpression],
  CampaignRestored: [cronExpression],
  CodeSampleChanged: [markdownDoc],
  CodeSampleCreated: [markdownDoc],
  CodeSampleRestored: [markdownDoc],
  DialogPublished: [publishedWithItsRevision],
  // Version 2 has `startsOver`; nothing else changed.
  FlowEdited: [data => data],
  HandlerPublished: [publishedWithItsRevision],
  SessionStarted: [byPassword],
  VariableChanged: [variableScope],
  VariableCreated: [variableScope],
  VariableRestored: [variableScope],
}

/** An event of a newer program: its reader stops instead of guessing. */
export class UnknownEventVersion extends Error {
  override readonly name = 'UnknownEventVersion'
  constructor(event: StoredEvent) {
    super(`${event.type} version ${event.version} in ${event.stream} was written by a newer program`)
  }
}

/** The shape in which events of a type are written today. */
export const currentVersion = (type: string): number => (UPCASTERS[type]?.length ?? 0) + 1

/** An event in today's shape. Throws `UnknownEventVersion`. */
export const upcast = (event: StoredEvent): StoredEvent => {
  const current = currentVersion(event.type)
  if (event.version > current) throw new UnknownEventVersion(event)
  const steps = UPCASTERS[event.type]?.slice(event.version - 1) ?? []
  if (steps.length === 0) return event
  return { ...event, version: current, data: steps.reduce((data, lift) => lift(data, event), event.data) }
}
