import { setTimeout as pause } from 'node:timers/promises'
import { readPlace } from '#domain/conversation/answer/read-answer.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, objectsOf, textOf, trimmedText } from '#schemas/json.ts'
import type { Refusal, RefusalCode } from '#schemas/refusal.ts'
import { locationText } from '../../channel/shared/message-text.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { ChatMessage } from '../../port.ts'
import {
  type AgentChat,
  type AgentLink,
  type AgentMessage,
  type AgentSocket,
  type AgentStep,
  type AgentSystem,
  numberOf,
} from '../agent-port.ts'
import type { Agents } from '../open-agents.ts'
import { type AgentSession, type AgentTimeouts, lateReason } from './agent-session.ts'
import { type AgentLogDependencies, AgentSessionLog, LostLease, type OpenAgentSession } from './agent-session-log.ts'

/** A place of a person: its name, its address and a link to a map. */
export const placeText = (data: Json | undefined): string => {
  const read = readPlace(isObject(data) ? data : {})
  if (!read.ok || !isObject(read.value)) return ''
  const { name, address, geo } = read.value
  const place = isObject(geo) ? geo : {}
  const lines = [trimmedText(name), locationText({ ...place, address: trimmedText(address) })]
  return lines.filter(line => line !== '').join('\n')
}

/** Times of transcripts, as in conversations: agents and people share the bot's country. */
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'America/Sao_Paulo' })

/** Text of a message, with its files by name and address. */
const textOfMessage = ({ text, title, data, type, attachments, actions }: ChatMessage): string => {
  const said = type === 'location' ? placeText(data) : trimmedText(text) || trimmedText(title)
  const files = objectsOf(attachments).map(({ name, contentUrl }) => `${textOf(name)}: ${textOf(contentUrl)}`)
  const buttons = objectsOf(actions).map(action => trimmedText(action.title))
  const lines = [said, ...files].filter(line => line !== '')
  return lines.length > 0 ? lines.join('\n') : buttons.filter(line => line !== '').join(' · ') || `[${type}]`
}

/** Name of a person to agents: their own, their telephone, else a word. */
export const personName = (name: string, id: string, locale: string): string =>
  name.trim() || (/^\+?\d{8,15}$/u.test(id) ? id : locale.startsWith('en') ? 'Visitor' : 'Visitante')

/** Lines `09:12 Luana: text`. Contains no masked answer: the conversation shows only dots for it. */
export const transcriptOf = (messages: readonly ChatMessage[], person: string): string =>
  messages
    .map(message => {
      const { from, time } = message
      const name = from === 'user' ? person : trimmedText(message.name) || 'Bot'
      return `${CLOCK.format(Date.parse(time))} ${name}: ${textOfMessage(message)}`
    })
    .join('\n')

/** The chat in the form that opens it, in every attempt. */
const chatOf = (
  held: FoldedConversation,
  { key, fields, hasTranscript, transcriptTo }: AgentSession,
  { queue, webhook }: { readonly queue: string; readonly webhook: string },
): AgentChat => {
  const before = held.messages.slice(0, transcriptTo)
  const { id, name = '', data = {} } = held.user
  return {
    key,
    conversation: held.id,
    person: { id, name, data },
    locale: held.locale,
    queue,
    fields,
    transcript: hasTranscript ? transcriptOf(before, personName(name, id, held.locale)) : '',
    said: trimmedText(before.findLast(({ from }) => from === 'user')?.text),
    webhook,
  }
}

/** A message of the person, with the text that the conversation shows. */
const messageOf = (
  held: FoldedConversation,
  { key }: AgentSession,
  { revision, sent }: AgentSession['outbox'][number],
): AgentMessage => {
  const shown = held.messages.find(({ id, from }) => id === sent.id && from === 'user')
  const files = (sent.attachments ?? []).filter(isObject).map(({ name, contentType, contentUrl }) => ({
    name: trimmedText(name) || 'file',
    type: trimmedText(contentType),
    url: trimmedText(contentUrl),
  }))
  const isFile = sent.type === 'attachment' && sent.text === undefined
  const text = sent.type === 'location' ? placeText(sent.data) : trimmedText(shown?.text ?? sent.text)
  return { id: `${key}-${revision}`, text: isFile ? '' : text, files }
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000
/** Longest wait that a system may ask for. */
const LONGEST_RETRY_MS = 60_000
/** ms between two signs that the person writes. */
const TYPING_PAUSE_MS = 5_000
/** Pause between polls of a system without long polls. */
const POLL_PAUSE_MS = 1_000
const MAX_CLOSINGS = 8
/** A chat is looked at after this time although nothing happened: its lease has to be renewed. */
const LONGEST_LOOK_MS = 15_000
const AVAILABILITY = { interval: 5_000, retries: 24 }

/** Failures that are retried. */
const TEMPORARY: ReadonlySet<RefusalCode> = new Set([
  'outbound.unreachable',
  'outbound.timeout',
  'outbound.unknown',
  'agent.toomany',
  'agent.failed',
  'agent.disconnected',
])
/** Temporary failures after which the system has surely taken nothing. */
const NOT_TAKEN: ReadonlySet<RefusalCode> = new Set(['outbound.unknown', 'agent.toomany', 'agent.disconnected'])

export interface AgentLoopDependencies extends AgentLogDependencies {
  readonly agents: Agents
  readonly timeouts: (bot: string) => Promise<AgentTimeouts>
  /** URL of a channel's webhook. */
  readonly webhook: (path: string) => string
  readonly failed: (error: unknown) => void
}

/** One chat on the node with its lease: opens it, forwards the person's messages, receives events, closes it. */
export class AgentSessionLoop {
  readonly #parts: AgentLoopDependencies
  readonly #record: AgentSessionLog
  #asked: number | undefined
  #isUnsure: boolean | undefined
  #failures = 0
  #retryAt = 0
  #typedAt = 0
  #isPolling = false
  #socket: AgentSocket | undefined
  #isStopped = false

  constructor(parts: AgentLoopDependencies, conversation: string, n: number) {
    this.#parts = parts
    this.#record = new AgentSessionLog(parts, conversation, n)
  }

  /**
   * Does the work that is due. Returns when to look again unless something happens, ms since 1970; undefined: the chat
   * has ended, or another node has it.
   */
  async step(): Promise<number | undefined> {
    try {
      return await this.#step()
    } catch (error) {
      if (!(error instanceof LostLease)) throw error
      return undefined
    }
  }

  /** Tells the agent that the person writes, where the system takes it. */
  async personTypes(): Promise<void> {
    if (this.#isStopped || this.#parts.now() < this.#typedAt + TYPING_PAUSE_MS) return
    this.#typedAt = this.#parts.now()
    const opened = await this.#record.find()
    if (opened?.talk.link === undefined || opened.isOver || opened.talk.connected === undefined) return
    await (await this.#parts.agents.open(opened.talk.channel))?.system.typing?.(opened.talk.link)
  }

  stop(): void {
    this.#isStopped = true
    this.#socket?.close()
    this.#socket = undefined
  }

  async #step(): Promise<number | undefined> {
    const { agents, timeouts, now } = this.#parts
    const found = await this.#record.find()
    const opened = found && (await this.#record.hold(found))
    if (opened === undefined) return undefined
    const { held, talk, isOver } = opened
    // The other node may have sent more than this one knew of.
    if (opened.isTaken) this.#isUnsure = undefined
    const channel = await agents.open(talk.channel)
    if (channel === undefined) {
      await this.#record.leave('error', {}, { isGone: true })
      return undefined
    }
    const { system, fields } = channel
    if (isOver) return (await this.#close(system, opened, fields)) ? 0 : undefined
    let next = 0
    const times = system.keepsTimes === true ? undefined : await timeouts(held.bot)
    const lateOf = (of: AgentSession) => times && lateReason(of, times, now())
    const late = lateOf(talk)
    if (late !== undefined) await this.#record.leave(late, fields, { isDue: newest => lateOf(newest) === late })
    else if (now() >= this.#retryAt) {
      if (talk.link === undefined) await this.#open(system, opened, fields)
      else await this.#forward(system, opened, fields)
      if (talk.link !== undefined && system.due !== undefined)
        next = Math.min(await system.due(talk.link), now() + LONGEST_LOOK_MS)
    }
    this.#listen(system, talk.link, fields)
    // Calls that failed are repeated without an event.
    return this.#failures === 0 ? next : 0
  }

  async #open(system: AgentSystem, opening: OpenAgentSession, fields: JsonObject): Promise<void> {
    const { now } = this.#parts
    const { held, talk } = opening
    const interval = numberOf(fields, 'check_agent_availibility_interval', AVAILABILITY.interval)
    const retries = Math.max(1, numberOf(fields, 'check_agent_availibility_retries', AVAILABILITY.retries))
    this.#asked ??= Math.floor((now() - talk.requested) / interval)
    if (now() < talk.requested + this.#asked * interval) return
    const queue = talk.queue || trimmedText(fields.defaultqueue)
    const asked = talk.isOpening ? undefined : await system.available?.(queue)
    if (asked !== undefined && (!asked.ok || !asked.value)) {
      if (!asked.ok && !TEMPORARY.has(asked.refusal.code)) return this.#giveUp(asked.refusal, fields)
      return this.#nobody(retries, fields)
    }
    if (!talk.isOpening) await this.#record.ahead({ opening: true })
    const opened = await system.open(this.#chat(held, talk, fields), { isAgain: talk.isOpening })
    if (opened.ok) {
      this.#failures = 0
      this.#isUnsure = false
      this.#record.tell(opening, fields, { level: 'info', code: 'agent.opened' })
      return this.#record.hear(opened.value, fields)
    }
    const { code } = opened.refusal
    if (code === 'agent.nobody' || NOT_TAKEN.has(code)) await this.#record.ahead({ opening: false })
    if (code === 'agent.nobody')
      return system.keepsTimes === true ? this.#refused(opened.refusal) : this.#nobody(retries, fields)
    if (TEMPORARY.has(code)) return this.#later(opened.refusal)
    return this.#giveUp(opened.refusal, fields)
  }

  /** Counts an attempt without an agent: it is repeated after the interval, as often as the channel says (D-3.2.05). */
  async #nobody(retries: number, fields: JsonObject): Promise<void> {
    this.#asked = (this.#asked ?? 0) + 1
    if (this.#asked < retries) return
    const found = await this.#record.find()
    if (found !== undefined) this.#record.tell(found, fields, { level: 'warn', code: 'agent.nobody' })
    await this.#record.leave('unavailable', fields)
  }

  /** The system has decided that nobody comes, and says what the person reads and which task they go to. */
  async #refused({ params = {} }: Refusal): Promise<void> {
    const found = await this.#record.find()
    if (found !== undefined) this.#record.tell(found, { type: 'parley' }, { level: 'warn', code: 'agent.nobody' })
    const task = textOf(params.task)
    const more = { quiet: true, ...(task === '' ? {} : { return: { kind: 'task', id: task } }) }
    await this.#record.leave('unavailable', { timed_out_message: params.text ?? '' }, { isGone: true, more })
  }

  async #forward(system: AgentSystem, opened: OpenAgentSession, fields: JsonObject): Promise<void> {
    const { held, talk } = opened
    // A message that another node was about to send may have arrived.
    this.#isUnsure ??= talk.sent > 0
    for (const outgoing of talk.outbox) {
      const isUnsure = outgoing.revision === talk.sent && this.#isUnsure
      if (outgoing.revision <= talk.sent && !isUnsure) continue
      if (!isUnsure) await this.#record.ahead({ sent: outgoing.revision })
      const link = (await this.#record.find())?.talk.link
      if (link === undefined) return
      const said = await system.say(link, messageOf(held, talk, outgoing), { isAgain: isUnsure })
      if (!said.ok) return this.#notSaid(said.refusal, fields)
      this.#failures = 0
      this.#isUnsure = false
      this.#record.tell(opened, fields, { level: 'info', code: 'agent.said' })
      await this.#record.hear(said.value, fields)
    }
  }

  async #notSaid(refusal: Refusal, fields: JsonObject): Promise<void> {
    if (refusal.code === 'agent.gone') return void (await this.#record.leave('closed', fields, { isGone: true }))
    if (!TEMPORARY.has(refusal.code)) return this.#giveUp(refusal, fields)
    this.#isUnsure = !NOT_TAKEN.has(refusal.code)
    if (!this.#isUnsure) await this.#record.ahead({ sent: (await this.#lastSent()) - 1 })
    this.#later(refusal)
  }

  async #lastSent(): Promise<number> {
    return (await this.#record.find())?.talk.sent ?? 0
  }

  async #close(system: AgentSystem, opened: OpenAgentSession, fields: JsonObject): Promise<boolean> {
    if (this.#parts.now() < this.#retryAt) return true
    const closed = await this.#closeThere(system, opened, fields)
    if (closed?.ok === false && TEMPORARY.has(closed.refusal.code) && this.#failures < MAX_CLOSINGS) {
      this.#later(closed.refusal)
      return true
    }
    await this.#record.done()
    return false
  }

  /** If it is unknown whether the chat was opened, opens it again first: this yields the same or an unused chat. */
  async #closeThere(system: AgentSystem, { held, talk }: OpenAgentSession, fields: JsonObject) {
    if (talk.link !== undefined) return system.close(talk.link)
    if (!talk.isOpening) return undefined
    const found = await system.open(this.#chat(held, talk, fields), { isAgain: true })
    return found.ok ? system.close(found.value.link) : found
  }

  #chat(held: OpenAgentSession['held'], talk: AgentSession, fields: JsonObject) {
    const queue = talk.queue || trimmedText(fields.defaultqueue)
    return chatOf(held, talk, { queue, webhook: this.#parts.webhook(trimmedText(fields.webhook)) })
  }

  /** Waits longer after each failure, and at least as long as the system asks. */
  #later({ params }: Refusal): void {
    this.#failures += 1
    const asked = typeof params?.retryAfter === 'number' ? Math.min(params.retryAfter, LONGEST_RETRY_MS) : 0
    const usual = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS)
    this.#retryAt = this.#parts.now() + Math.max(usual, asked)
  }

  async #giveUp({ code }: Refusal, fields: JsonObject): Promise<void> {
    const found = await this.#record.find()
    if (found !== undefined) this.#record.tell(found, fields, { level: 'error', code })
    await this.#record.leave('error', fields)
  }

  /** Polls, or keeps the socket open, while this node drives the chat. */
  #listen(system: AgentSystem, link: AgentLink | undefined, fields: JsonObject): void {
    if (system.poll !== undefined && !this.#isPolling) {
      this.#isPolling = true
      void this.#poll(system, fields)
        .catch(this.#parts.failed)
        .finally(() => {
          this.#isPolling = false
        })
    }
    if (system.connect === undefined || this.#socket !== undefined || link === undefined) return
    const hear = (step: AgentStep) => void this.#record.hear(step, fields).catch(this.#parts.failed)
    this.#socket = system.connect(link, {
      step: hear,
      ended: () => {
        this.#socket = undefined
      },
    })
  }

  async #poll(system: AgentSystem, fields: JsonObject): Promise<void> {
    for (let failures = 0; !this.#isStopped; ) {
      const opened = await this.#record.find()
      if (opened?.talk.link === undefined || opened.isOver) return
      if (opened.talk.lease?.node !== this.#parts.node) return
      const polled = await system.poll?.(opened.talk.link, opened.talk.connected === undefined)
      if (polled?.ok === true) {
        failures = 0
        await this.#record.hear(polled.value, fields)
      } else if (polled?.refusal.code === 'agent.gone')
        return this.#record.hear({ events: [{ kind: 'closed', id: 'closed' }] }, fields)
      else failures += 1
      const wait = system.pollPause ?? POLL_PAUSE_MS
      await pause(failures === 0 ? wait : Math.min(wait * 2 ** failures, LONGEST_PAUSE_MS), undefined, { ref: false })
    }
  }
}
