import { draft } from '#commands/pipeline/author.ts'
import type { EventStore } from '#commands/store/port.ts'
import { same } from '#domain/json-equal.ts'
import type { JsonObject } from '#schemas/event.ts'
import { botUserStream } from '#schemas/events/conversation.ts'
import { NO_EVENTS, type StreamEnd } from '../../log/exclusive-append.ts'
import { streamAggregate } from '../../log/stream-aggregate.ts'
import type { FoldedConversation } from '../engine/folded-conversation.ts'
import type { Words } from '../engine/words.ts'

interface UserData {
  readonly end: StreamEnd
  readonly values: JsonObject
}

/** Data that a bot keeps of a person beyond a conversation (RUNTIME 56): for each name the later turn wins. */
export const openUserData = (store: EventStore, words: Words) => {
  const of = (person: string) =>
    streamAggregate<UserData>(store, {
      initial: { end: NO_EVENTS, values: {} },
      fold: async (known, { stream, data }) => {
        const set = (await words.open(person, data.set, stream)) as JsonObject | undefined
        return { ...known, values: { ...known.values, ...set } }
      },
    })
  return {
    /** Undefined: no data of this person. */
    async read(bot: string, person: string): Promise<JsonObject | undefined> {
      const { values } = await of(person).load(botUserStream(bot, person))
      return Object.keys(values).length === 0 ? undefined : values
    },
    /** Stores the changes of a turn. */
    async keep({ id, bot, person, state }: FoldedConversation): Promise<void> {
      const stream = botUserStream(bot, person)
      if (Object.keys(state.userdata).length === 0) return
      await of(person).write(stream, async ({ values }) => {
        const changed = Object.entries(state.userdata).filter(([name, value]) => !same(values[name] ?? null, value))
        if (changed.length === 0) return []
        const set = await words.seal(person, Object.fromEntries(changed), stream)
        const time = new Date().toISOString()
        const author = { seed: `${id} ${state.turns}`, actor: null, time, correlation: id, causation: null }
        return [draft(author, 'user data', 'BotUserChanged', null, { set })]
      })
    },
  }
}
