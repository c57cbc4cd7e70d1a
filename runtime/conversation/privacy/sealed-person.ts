import type { Json, JsonObject } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import type { Conversations } from '../../port.ts'
import type { Words } from '../engine/words.ts'

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
