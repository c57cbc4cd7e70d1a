import type { Questions } from '#realtime/cluster/node-requests.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { AgentChat, AgentCheck, AgentEvent, AgentLink, AgentMessage, AgentPerson } from '../agent-port.ts'

/** Parley's own desk as the adapter `parley` uses it. */
export interface Desk {
  /**
   * Adds a chat to the queue that it names. `agent.nobody` when nobody will come, with params `why` (hours, full or
   * noagents), `text` for the person and `task` of the bot, each only where there is one.
   */
  open(chat: AgentChat, fields: JsonObject): Promise<Result<AgentLink>>
  /** The person wrote. */
  said(link: AgentLink, message: AgentMessage): Promise<Result<null>>
  /** The chat has ended for the person. */
  close(link: AgentLink): Promise<Result<null>>
  /** Does what its times ask for. Returns when they next do, ms since 1970. */
  due(link: AgentLink): Promise<number>
  /** Open chats of a queue. */
  openIn(queue: string): number
  check(fields: JsonObject, bot: string): Promise<readonly AgentCheck[]>
  /** Whether a queue with a member reaches bots of a level. */
  isReadyAt(level: string): Promise<boolean>
}

/**
 * Question that only nodes answer whose build knows the events of the desk: its number grows with each new type of
 * event. A node stops at an event that it does not know.
 */
const BUILD_QUESTION = 'desk 1'

/** Connects the adapter to the desk, which opens with the conversations. */
export class DeskLink {
  readonly #questions: Pick<Questions, 'answer' | 'ask'> | undefined
  #desk: Desk | undefined

  /** `questions`: to other nodes; undefined: there are none. */
  constructor(questions?: Pick<Questions, 'answer' | 'ask'>) {
    this.#questions = questions
    questions?.answer(BUILD_QUESTION, async () => true)
  }

  /** Names of the other nodes whose build does not know the desk. */
  async nodesWithout(): Promise<readonly string[]> {
    return (await this.#questions?.ask(BUILD_QUESTION, null))?.silent ?? []
  }

  /** Undefined: conversations are closed. */
  connect(desk: Desk | undefined): void {
    this.#desk = desk
  }

  get desk(): Desk | undefined {
    return this.#desk
  }
}

/** Actions of a user at the desk as events of an agent system, written like those of all others. */
export const joinedEvent = (slot: string, agent: AgentPerson): AgentEvent => ({ kind: 'joined', id: slot, agent })

/** `id`: the client's, so that a repeated request is written once. */
export const saidEvent = (
  agent: AgentPerson,
  {
    id,
    text,
    files = [],
    template,
  }: Pick<Extract<AgentEvent, { kind: 'message' }>, 'id' | 'text' | 'files' | 'template'>,
): AgentEvent => ({
  ...{ kind: 'message', id, from: 'agent', agent, text, files },
  ...(template === undefined ? {} : { template }),
})
