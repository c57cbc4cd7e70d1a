import type { NodeKeys } from '#commands/keys/secret.ts'
import { derivedId } from '#commands/pipeline/event-draft.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

/** Seals texts under the key of the person, and masked ones under a key of the conversation (RUNTIME 84, 85). */
export interface Words {
  /** Id of a person on a channel: it can be derived again, but not reversed. */
  personOf(channel: string, user: string): Promise<string>
  seal(holder: string, value: Json, context: string): Promise<JsonObject>
  /** Undefined: the key no longer exists. */
  open(holder: string, sealed: Json | undefined, context: string): Promise<Json | undefined>
  drop(holder: string): Promise<void>
  /** Whether the key of a person was destroyed. */
  isForgotten(person: string): Promise<boolean>
}

export const openMessageCipher = ({ personal, index }: Pick<NodeKeys, 'personal' | 'index'>): Words => ({
  async personOf(channel, user) {
    const hmac = index.hmac(`${channel} ${user}`)
    const forgotten = await personal.forgotten()
    // A forgotten person who returns gets a new id.
    for (let life = 0; ; life += 1) {
      const person = derivedId(hmac, `person ${life}`)
      if (!forgotten.has(person)) return person
    }
  },
  async seal(holder, value, context) {
    return personal.encrypt(holder, value, context)
  },
  async open(holder, sealed, context) {
    if (typeof sealed !== 'object' || sealed === null || Array.isArray(sealed)) return undefined
    return personal.decrypt(holder, sealed as JsonObject, context)
  },
  async drop(holder) {
    await personal.forget(holder)
  },
  async isForgotten(person) {
    return (await personal.forgotten()).has(person)
  },
})
