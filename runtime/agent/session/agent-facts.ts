import type { Json, JsonObject } from '#schemas/event.ts'
import { folded } from '#schemas/fold-text.ts'
import { trimmedText } from '#schemas/json.ts'
import type { Fact } from '../../conversation/engine/conversation-facts.ts'
import { type FoldedConversation, streamOf, type Words } from '../../conversation/engine/folded-conversation.ts'
import type { AgentEvent, AgentPerson } from '../agent-port.ts'
import type { AgentSession } from './agent-session.ts'

/** State of a chat that a text of the system announces (D-3.2.03). */
const meaningOf = (text: string, fields: JsonObject): 'waiting' | 'connected' | 'transferred' | undefined => {
  const said = folded(text)
  const names = (field: string) => {
    const words = folded(trimmedText(fields[field]))
    return words !== '' && said.includes(words)
  }
  if (names('message_to_identify_agent_transfered')) return 'transferred'
  if (names('message_to_identify_agent_connected')) return 'connected'
  return names('message_to_identify_user_waiting') ? 'waiting' : undefined
}

const MAX_TEXT = 20_000

/** Converts events of a system to facts of the conversation, each once. */
export class AgentFacts {
  readonly #words: Words
  readonly #held: FoldedConversation
  readonly #talk: AgentSession
  readonly #fields: JsonObject
  readonly #time: number
  readonly #seen: Set<string>
  readonly #facts: Fact[] = []
  #isConnected: boolean
  #isOver = false

  constructor(words: Words, held: FoldedConversation, talk: AgentSession, fields: JsonObject, time: number) {
    this.#words = words
    this.#held = held
    this.#talk = talk
    this.#fields = fields
    this.#time = time
    this.#seen = new Set(talk.seen)
    this.#isConnected = talk.connected !== undefined
  }

  async add(event: AgentEvent): Promise<void> {
    if (this.#isOver || event.kind === 'typing' || this.#seen.has(event.id)) return
    this.#seen.add(event.id)
    switch (event.kind) {
      case 'queued':
        return this.#wait(event.id, event.position)
      case 'joined':
        return this.#connect(event.id, event.agent)
      case 'transferred':
      case 'left':
        return this.#wait(event.id)
      case 'message':
        return this.#say(event)
      case 'closed':
      case 'error':
        this.#isOver = true
        return this.#put('AgentLeft', event.id, { reason: event.kind })
      default:
        return event satisfies never
    }
  }

  facts(): readonly Fact[] {
    return this.#facts
  }

  async #say(event: Extract<AgentEvent, { kind: 'message' }>): Promise<void> {
    const { id, from, agent, text, files = [] } = event
    const meaning = meaningOf(text, this.#fields)
    if (meaning === 'waiting') this.#wait(`${id} waiting`)
    if (meaning === 'transferred') this.#wait(`${id} transferred`)
    if (meaning === 'connected') await this.#connect(`${id} connected`, agent ?? { name: '', avatar: '' })
    const isComment = meaning !== undefined || from === 'system'
    if (isComment && this.#fields.send_agent_comment_to_user !== true) return
    // An agent who writes is connected, even if the system does not report it.
    if (!isComment && !this.#isConnected) await this.#connect(`${id} connected`, agent ?? { name: '', avatar: '' })
    const attachments = files.map(({ name, type, url }) => ({ name, contentType: type, contentUrl: url }))
    const said = { text: text.slice(0, MAX_TEXT), ...(isComment ? {} : agent), attachments }
    const sealed = await this.#seal(said)
    this.#put('AgentSaid', id, { ...(isComment ? { comment: true } : {}), sealed })
  }

  #wait(id: string, place?: number): void {
    this.#isConnected = false
    this.#put('AgentWaiting', id, place === undefined ? {} : { place })
  }

  async #connect(id: string, agent: AgentPerson): Promise<void> {
    this.#isConnected = true
    this.#put('AgentConnected', id, { sealed: await this.#seal({ ...agent }) })
  }

  #seal(value: Json): Promise<JsonObject> {
    return this.#words.seal(this.#held.person, value, streamOf(this.#held))
  }

  #put(type: Fact['type'], event: string, data: JsonObject): void {
    const { n } = this.#talk
    this.#facts.push({
      type,
      cause: `${this.#held.id} agent ${n} ${type} ${event}`,
      time: this.#time,
      data: { n, event, ...data },
    })
  }
}
