import type { Json, JsonObject } from '#schemas/event.ts'
import type { ReleaseMade } from '#schemas/events/release.ts'

type Fields = Readonly<Record<string, Json>>

/** Content of a release, without derived values. */
export type ReleaseContent = Omit<ReleaseMade, 'hash'>

type Flows = readonly { readonly id: string; readonly fields: Fields }[]

const publishedIn = (flows: Flows): Readonly<Record<string, number>> => {
  const published = flows.flatMap(({ id, fields }) =>
    fields.published === true && typeof fields.publishedrevision === 'number' && fields.publishedrevision > 0
      ? [[id, fields.publishedrevision] as const]
      : [],
  )
  return Object.fromEntries(published.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Everything of a bot that is published. `production`: the model of its NLU project, where the bot names none. */
export const releaseContent = (
  bot: string,
  fields: Fields,
  dialogs: Flows,
  handlers: Flows,
  production: string | null,
): ReleaseContent => ({
  bot,
  dialogs: publishedIn(dialogs),
  handlers: publishedIn(handlers),
  nlumodel: typeof fields.nlumodel === 'string' && fields.nlumodel !== '' ? fields.nlumodel : production,
})

/** The same for the same content, found in any order. */
export const contentText = ({ bot, dialogs, handlers, nlumodel }: ReleaseContent): string =>
  JSON.stringify([bot, Object.entries(dialogs), Object.entries(handlers), nlumodel])

/** The data of the event; undefined where the newest release is of the same hash. */
export const decideRelease = (
  content: ReleaseContent,
  hash: string,
  newest: string | undefined,
): (ReleaseMade & JsonObject) | undefined => (newest === hash ? undefined : { ...content, hash })
