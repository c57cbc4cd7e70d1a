import { draft } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { botUserStream, conversationStream } from '#schemas/events/conversation.ts'
import { jsonEqual } from '#schemas/json.ts'
import { NO_EVENTS, type StreamEnd, streamAggregate } from '../../log/stream-aggregate.ts'
import type { Conversations } from '../../port.ts'
import type { FileStorage } from '../../storage/storage-port.ts'
import type { FoldedConversation, Words } from '../engine/folded-conversation.ts'
import type { ConversationIndex } from '../index/conversation-index.ts'
import type { EarlierMessages } from '../store/earlier-messages.ts'
import type { ConversationLog } from '../store/log.ts'

interface Holders {
  readonly log: ConversationLog
  readonly messages: EarlierMessages
  readonly index: ConversationIndex
  readonly words: Words
  readonly files: Pick<FileStorage, 'removeOf'> | undefined
  now(): number
}

/** Evicts all texts of a person from the memory of this node. */
export const evictPerson = async (
  person: string,
  { log, messages, index }: Omit<Holders, 'words' | 'files' | 'now'>,
) => {
  for (const id of index.ofPerson(person)) {
    await log.evict(id)
    messages.lose(id)
  }
}

/** Removes the files of a person. Each node does it, because the one that forgets may end before. */
export const removeFilesOf = async (conversations: readonly string[], files: Holders['files']): Promise<void> => {
  for (const id of conversations) await files?.removeOf(id)
}

/** Destroys the key of a person; nodes that hold texts of the person are notified and evict them (RUNTIME 84). */
export const forgetPerson = async ({ id, person }: FoldedConversation, holders: Holders): Promise<void> => {
  const { log, words, now } = holders
  await words.drop(person)
  await log.write(id, () => [{ type: 'PersonForgotten', data: {}, cause: `${id} forgotten`, time: now() }])
  await evictPerson(person, holders)
  await removeFilesOf(holders.index.ofPerson(person), holders.files)
}

interface PersonFacts {
  /** Id of the conversation. */
  readonly id: string
  readonly person: string
  /** Data that the bot has of the person. */
  readonly known: JsonObject | undefined
}

/** Data of the person at the start of a conversation, sealed under the person's key. */
export const sealedPerson = async (
  words: Words,
  { id, person, known }: PersonFacts,
  { user, payload }: Parameters<Conversations['open']>[0],
): Promise<JsonObject> => {
  const stream = conversationStream(id)
  return {
    user: await words.seal(person, user as unknown as Json, stream),
    ...(known === undefined ? {} : { userdata: await words.seal(person, known, stream) }),
    ...(payload === undefined ? {} : { payload: await words.seal(person, payload, stream) }),
  }
}

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
        const changed = Object.entries(state.userdata).filter(
          ([name, value]) => !jsonEqual(values[name] ?? null, value),
        )
        if (changed.length === 0) return []
        const set = await words.seal(person, Object.fromEntries(changed), stream)
        const time = new Date().toISOString()
        const author = { seed: `${id} ${state.turns}`, actor: null, time, correlation: id, causation: null }
        return [draft(author, 'user data', 'BotUserChanged', null, { set })]
      })
    },
  }
}
