import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/author.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import { same } from '#domain/json-equal.ts'
import type { JsonObject } from '#schemas/event.ts'
import { botUserStream } from '#schemas/events/conversation.ts'
import type { FoldedConversation } from '../engine/folded-conversation.ts'
import type { Words } from '../engine/words.ts'

/** Data that a bot keeps of a person beyond a conversation (RUNTIME 56): for each name the later turn wins. */
export const openUserData = (store: EventStore, words: Words) => {
  const readAll = async (
    bot: string,
    person: string,
  ): Promise<{ readonly tail: Tail; readonly values: JsonObject }> => {
    const stream = botUserStream(bot, person)
    let tail = NO_STREAM
    let values: JsonObject = {}
    for await (const { revision, hash, data } of store.read(stream)) {
      tail = { revision, hash }
      values = { ...values, ...((await words.open(person, data.set, stream)) as JsonObject | undefined) }
    }
    return { tail, values }
  }
  return {
    /** Undefined: no data of this person. */
    async read(bot: string, person: string): Promise<JsonObject | undefined> {
      const { values } = await readAll(bot, person)
      return Object.keys(values).length === 0 ? undefined : values
    },
    /** Stores the changes of a turn. */
    async keep({ id, bot, person, state }: FoldedConversation): Promise<void> {
      const stream = botUserStream(bot, person)
      if (Object.keys(state.userdata).length === 0) return
      for (;;) {
        const { tail, values } = await readAll(bot, person)
        const changed = Object.entries(state.userdata).filter(([name, value]) => !same(values[name] ?? null, value))
        if (changed.length === 0) return
        const set = await words.seal(person, Object.fromEntries(changed), stream)
        const time = new Date().toISOString()
        const author = { seed: `${id} ${state.turns}`, actor: null, time, correlation: id, causation: null }
        try {
          await append(store, stream, tail, [draft(author, 'user data', 'BotUserChanged', null, { set })])
          return
        } catch (error) {
          if (!(error instanceof WrongRevision)) throw error
        }
      }
    },
  }
}
