import { eventOf } from '#domain/entity.ts'
import { version } from '#schemas/entities/version.ts'
import { entityStream } from '#schemas/events/entity.ts'
import type { Step } from '#schemas/events/process.ts'
import type { Author } from '../pipeline/author.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { awaitLookup } from '../process/contents.ts'
import { liveChildren } from './take.ts'

/**
 * After this step no earlier version of the bot is the latest. Of two made at once the later one finds the earlier one,
 * in either order, so that one stays the latest.
 */
export const supersede = async (
  context: CommandContext,
  author: Author,
  { id, bot }: Extract<Step, { do: 'supersede' }>,
): Promise<undefined> => {
  await awaitLookup(context)
  const made = await madeAt(context, id)
  for (const { id: other, fields, level } of await liveChildren(context, 'bot', bot, version.name)) {
    if (other === id || fields.latest !== true || (await madeAt(context, other)) > made) continue
    const loaded = await context.loader.load(version, other, { fresh: true })
    if (loaded.state.status !== 'live' || loaded.state.fields.latest !== true) continue
    const writing = { author: { ...author, seed: derivedId(author.seed, `supersede:${other}`) }, reserved: new Map() }
    const events = [eventOf(version, 'Superseded', { fields: { latest: false } })]
    await commit(context, writing, { entity: version, id: other, level, loaded }, events)
  }
}

/** Positions are ordered as text. */
const madeAt = async ({ store }: CommandContext, id: string): Promise<string> => {
  for await (const { position } of store.read(entityStream(version.name, id), { limit: 1 })) return position
  return ''
}
