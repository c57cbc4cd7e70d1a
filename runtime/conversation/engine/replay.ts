import { maskedHolder } from '#commands/keys/secret.ts'
import type { BotMessage } from '#domain/conversation/message.ts'
import type { ReplayAgentMessage, ReplayDeskEvent, ReplayTurn } from '#schemas/api/conversation.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { isObject, record, stringsOf } from '#schemas/json.ts'
import { isRatingScale } from '#schemas/rating.ts'
import { agentChatMessage } from '../../agent/session/agent-events.ts'
import type { ReplayBetween, SentMessage } from '../../port.ts'
import { botChatMessage, campaignChatMessage, shownPress, userChatMessage, writtenAt } from './fold.ts'
import { positionOf, type Words } from './folded-conversation.ts'

/** Shown in place of a masked answer. */
const DOTS = '••••••'

const INPUTS: Readonly<Record<string, string>> = {
  ConversationStarted: 'open',
  MessageReceived: 'message',
  TimerFired: 'timer',
  ScheduleFired: 'schedule',
  AgentLeft: 'agent',
  TakeoverAsked: 'takeover',
}

type Rating = NonNullable<ReplayTurn['ratings']>[number]
const RATINGS = new Set(['RatingAsked', 'ConversationRated', 'RatingSkipped'])

interface NamedChange {
  readonly put?: JsonObject
  readonly drop?: readonly string[]
}

type KeptName = ReplayTurn['kept'][number]

interface WrittenValue extends Pick<KeptName, 'name' | 'scope'> {
  readonly value: Json
}

/** Values that a turn wrote: of the conversation, of the person, and of the dialogs that ran (`ended`: or ended in it). */
const valuesOf = (
  change: JsonObject | undefined,
  named: ReadonlySet<string>,
  ended: JsonObject,
): { readonly put: readonly WrittenValue[]; readonly drop: string[] } => {
  const variables = (change?.variables ?? {}) as NamedChange
  const userdata = (change?.userdata ?? {}) as NamedChange
  const frames = (change?.frames ?? []) as readonly { readonly locals?: JsonObject }[]
  const of = (scope: KeptName['scope'], values: JsonObject = {}): WrittenValue[] =>
    Object.entries(values).map(([name, value]) => ({ name, scope, value }))
  // A change holds the whole stack: only the values that the steps name are new.
  const locals = frames.flatMap(frame => of('dialog', frame.locals)).filter(({ name }) => named.has(name))
  return {
    put: [...of('user', userdata.put), ...of('conversation', variables.put), ...of('dialog', ended), ...locals],
    drop: [...(variables.drop ?? []), ...(userdata.drop ?? [])],
  }
}

/** Intent and entities of a turn; undefined if no model was asked. An unchanged intent is not in its change. */
const understoodIn = (change: JsonObject | undefined): ReplayTurn['understood'] => {
  const { intent, entities } = change ?? {}
  if (intent === undefined && entities === undefined) return undefined
  const { name = null, confidence = null } = (intent ?? {}) as { name?: string; confidence?: number }
  return { intent: name, confidence, entities: (entities ?? {}) as JsonObject }
}

/** Kind of a value, without the value. */
const kindOf = (value: Json): string => {
  if (value === null || value === '') return 'empty'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? 'text' : typeof value
}

interface ReplayOf {
  readonly id: string
  readonly person: string
  /** Without it, and after the person was forgotten, texts and values are left out. */
  readonly mayRead: boolean
}

/** Events of the desk, as a replay names them. */
const DESK_EVENTS: Readonly<Record<string, ReplayDeskEvent['kind']>> = {
  AgentQueued: 'queued',
  AgentAssigned: 'assigned',
  AgentReleased: 'released',
  AgentSnoozed: 'snoozed',
  AgentWoken: 'woken',
  AgentNoted: 'noted',
  AgentTagged: 'tagged',
  AgentPrioritized: 'prioritized',
  AgentMoved: 'moved',
  ChatRevealed: 'revealed',
  AgentLeft: 'left',
}
/** Members of their data that a replay shows. */
const DESK_DATA = ['user', 'by', 'queue', 'how', 'why', 'until', 'priority'] as const

/** An event of the desk without words: tags are left out where values are. */
const deskEventOf = ({ type, time, data, revision }: StoredEvent, mayRead: boolean): ReplayDeskEvent | undefined => {
  const kind = Object.hasOwn(DESK_EVENTS, type) ? DESK_EVENTS[type] : undefined
  if (kind === undefined) return undefined
  const reason = kind === 'left' ? (data.key ?? data.reason) : undefined
  return {
    position: positionOf(revision),
    time,
    kind,
    ...record(DESK_DATA.flatMap(name => (data[name] === undefined ? [] : [[name, data[name]] as const]))),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(kind === 'tagged' && mayRead ? { tags: stringsOf(data.tags) } : {}),
  }
}

/** Converts the events of a conversation, in order, to turns. */
class Replay {
  readonly turns: ReplayTurn[] = []
  readonly #of: ReplayOf
  readonly #words: Words
  readonly #inputs = new Map<number, ReplayTurn['input']>()
  readonly #said = new Map<number, BotMessage>()
  readonly #ratings: Rating[] = []
  readonly #masked = new Set<string>()
  /** Messages of campaigns that an earlier input answered. */
  readonly #campaigns = new Set<string>()
  /** Names of variables of dialogs that ran, and those on the stack after the last turn. */
  #dialogNames = new Set<string>()
  #stackNames = new Set<string>()
  #asked: { readonly block?: Json; readonly kind?: Json } = {}

  constructor(of: ReplayOf, words: Words) {
    this.#of = of
    this.#words = words
  }

  async take(event: StoredEvent): Promise<void> {
    const kind = event.data.how === 'begun' && event.type === 'TakeoverAsked' ? 'begun' : INPUTS[event.type]
    if (kind !== undefined) {
      const received = event.type === 'MessageReceived' ? await this.#received(event) : { said: null }
      this.#inputs.set(event.revision, { kind, time: event.time, position: positionOf(event.revision), ...received })
    }
    if (RATINGS.has(event.type)) this.#ratings.push(await this.#rating(event))
    if (event.type === 'TurnTaken' || event.type === 'TurnFailed') await this.#turned(event)
  }

  /** A message of a chat with an agent. */
  async agentSaid(event: StoredEvent): Promise<ReplayAgentMessage> {
    const opened = await this.#read(event.data.sealed, false, event.stream)
    const message = agentChatMessage(event, event.revision, opened)
    return {
      ...message,
      from: message.from === 'agent' ? 'agent' : 'bot',
      text: isObject(opened) ? String(message.text) : null,
    }
  }

  /** An event of a rating, which is written before its turn. */
  async #rating({ type, data, time, stream }: StoredEvent): Promise<Rating> {
    const opened = data.sealed === undefined ? undefined : await this.#read(data.sealed, false, stream)
    const comment = isObject(opened) && typeof opened.comment === 'string' ? opened.comment : null
    return {
      kind: type === 'RatingAsked' ? 'asked' : type === 'RatingSkipped' ? 'unrated' : 'rated',
      time,
      about: data.about === 'bot' ? 'bot' : 'agent',
      ...(isRatingScale(data.scale) ? { scale: data.scale } : {}),
      ...(typeof data.score === 'number' ? { score: data.score } : {}),
      ...(data.sealed === undefined ? {} : { comment }),
      ...(typeof data.why === 'string' ? { why: data.why } : {}),
    }
  }

  async #open(sealed: Json | undefined, isMasked: boolean, stream: string): Promise<Json | undefined> {
    const { id, person } = this.#of
    return this.#words.open(isMasked ? maskedHolder(id) : person, sealed, stream)
  }

  async #read(sealed: Json | undefined, isMasked: boolean, stream: string): Promise<Json | undefined> {
    return this.#of.mayRead ? this.#open(sealed, isMasked, stream) : undefined
  }

  /** Stored values by name and kind: also for readers who may not see the values. */
  #kept(put: readonly WrittenValue[], steps: ReplayTurn['steps']): ReplayTurn['kept'] {
    const answered = new Set(steps.filter(({ block }) => block === this.#asked.block).flatMap(({ wrote }) => wrote))
    return put.map(({ name, scope, value }) => ({
      name,
      scope,
      kind: answered.has(name) && typeof this.#asked.kind === 'string' ? this.#asked.kind : kindOf(value),
      masked: this.#masked.has(name),
    }))
  }

  /** For forgotten values the steps contain only the names. */
  #forgotten(steps: ReplayTurn['steps']): ReplayTurn['kept'] {
    const names = new Set(steps.flatMap(({ wrote }) => wrote))
    return [...names].map(name => ({
      name,
      scope: 'conversation',
      kind: 'unknown',
      masked: this.#masked.has(name),
    }))
  }

  async #received(event: StoredEvent): Promise<Pick<ReplayTurn['input'], 'said' | 'menu' | 'answers'>> {
    const { data, stream, revision } = event
    const masked = data.masked === true
    const opened = await this.#read(data.said, masked, stream)
    if (opened === undefined && !masked) return { said: null }
    const sent = { type: 'text', ...((opened ?? {}) as JsonObject), id: String(data.message) } as unknown as SentMessage
    const pressed = shownPress(this.#said, sent)
    if (sent.type === 'menu') return { said: null, menu: sent.value ?? '' }
    const campaign = campaignChatMessage(sent, positionOf(revision))
    const isShown = campaign !== undefined && !this.#campaigns.has(campaign.id)
    if (isShown) this.#campaigns.add(campaign.id)
    const position = positionOf(revision, isShown ? 1 : 0)
    return {
      said: userChatMessage(sent, { position, time: writtenAt(event), pressed, masked }) ?? null,
      ...(isShown ? { answers: campaign } : {}),
    }
  }

  /** Names of variables whose dialogs ended before this turn. */
  #endedNames(change: JsonObject, put: readonly WrittenValue[]): readonly string[] {
    const frames = change.frames as readonly { readonly locals?: JsonObject }[] | undefined
    if (frames !== undefined) this.#stackNames = new Set(frames.flatMap(({ locals = {} }) => Object.keys(locals)))
    const written = new Set(put.map(({ name }) => name))
    const gone = [...this.#dialogNames].filter(name => !this.#stackNames.has(name) && !written.has(name))
    const added = put.filter(({ scope }) => scope === 'dialog').map(({ name }) => name)
    this.#dialogNames = new Set([...this.#dialogNames, ...added].filter(name => !gone.includes(name)))
    return gone
  }

  async #turned({ data, stream, revision, time }: StoredEvent): Promise<void> {
    const messages = (await this.#read(data.said, false, stream)) as unknown as readonly BotMessage[] | undefined
    const change = (await this.#open(data.set, data.masked === true, stream)) as JsonObject | undefined
    for (const message of messages ?? []) this.#said.set(message.id, message)
    for (const name of (change?.masked ?? []) as readonly string[]) this.#masked.add(name)
    const steps = (data.steps ?? []) as unknown as ReplayTurn['steps']
    const ended = ((await this.#open(data.locals, data.masked === true, stream)) ?? {}) as JsonObject
    const { put, drop } = valuesOf(change, new Set(steps.flatMap(({ wrote }) => wrote)), ended)
    const gone = change === undefined ? [] : this.#endedNames(change, put)
    const shown = put.map(({ name, value }) => [name, this.#masked.has(name) && value !== null ? DOTS : value] as const)
    const understood = this.#of.mayRead ? understoodIn(change) : undefined
    const kept = change === undefined ? this.#forgotten(steps) : this.#kept(put, steps)
    this.#asked = (data.wait ?? {}) as { block?: Json; kind?: Json }
    this.turns.push({
      turn: Number(data.turn),
      time,
      release: Number(data.release),
      input: this.#inputs.get(Number(data.input)) ?? { kind: 'open', time, position: positionOf(revision), said: null },
      ...(understood === undefined ? {} : { understood }),
      // A script may read masked values and reveal them.
      ...(this.#of.mayRead && data.masked !== true && change?.handler !== undefined ? { handler: change.handler } : {}),
      steps,
      said: ((data.blocks ?? []) as readonly (string | null)[]).map((block, place) => {
        const message = messages?.[place]
        const words = message && botChatMessage(message, positionOf(revision, place + 1), time)
        return { ...(words ?? { text: null }), block }
      }),
      wrote: this.#of.mayRead ? record(shown) : {},
      kept,
      dropped: [...drop, ...gone],
      status: String(data.status),
      wait: data.wait ?? null,
      problems: (data.problems ?? []) as Json[],
      ...(this.#ratings.length === 0 ? {} : { ratings: this.#ratings.splice(0) }),
      ended: data.ended ?? null,
      failed: data.failed ?? null,
    })
  }
}

/** Reads the turns of a conversation in their order; `between` gets what happened beside them. */
export async function* replayTurns(
  events: AsyncIterable<StoredEvent> | Iterable<StoredEvent>,
  of: ReplayOf,
  words: Words,
  between?: ReplayBetween,
): AsyncGenerator<ReplayTurn> {
  const replay = new Replay(of, words)
  // A chat with an outside system ends like one at the desk.
  let isAtDesk = false
  for await (const event of events) {
    const happened = deskEventOf(event, of.mayRead)
    isAtDesk ||= happened !== undefined && happened.kind !== 'left'
    if (happened !== undefined && isAtDesk) between?.onDesk(happened)
    if (happened?.kind === 'left') isAtDesk = false
    if (event.type === 'AgentSaid' && between !== undefined) between.onAgentSaid(await replay.agentSaid(event))
    await replay.take(event)
    yield* replay.turns.splice(0)
  }
}
