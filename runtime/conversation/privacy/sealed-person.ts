import type { Json, JsonObject } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import type { Conversations } from '../../port.ts'
import type { Words } from '../engine/words.ts'

interface PersonFacts {
  /** Of the conversation. */
  readonly id: string
  readonly person: string
  /** What the bot knows of the person. */
  readonly known: JsonObject | undefined
}

/** What a conversation begins with of its person, sealed under their key. */
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
