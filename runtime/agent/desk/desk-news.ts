import type { HeartbeatBus } from '../../conversation/index/node-heartbeat.ts'
import type { DeskParts } from './desk-parts.ts'

const TOPIC = 'desk'
/** Viewing and typing end by themselves. */
const SHOWN_MS = 6_000
/** At most one frame about the viewers of a chat in this time. */
const PAUSE_MS = 2_000
/** Changes of a chat within this time are one. */
const GATHER_MS = 50
/** An agent's typing goes to the person at most this often. */
const TO_PERSON_MS = 20_000

export type DeskChange =
  | { readonly kind: 'chat'; readonly conversation: string; readonly revision: number }
  | { readonly kind: 'place'; readonly user: string }
  | { readonly kind: 'viewing'; readonly conversation: string; readonly users: readonly Viewer[] }
  /** The person writes, or no longer. */
  | { readonly kind: 'person'; readonly conversation: string; readonly on: boolean }
  | {
      readonly kind: 'typing'
      readonly conversation: string
      readonly user: string
      readonly name: string
      readonly on: boolean
    }

interface Viewer {
  readonly user: string
  readonly name: string
}

/** Notifications of the desk for the sockets of this node; none of them is stored. */
export class DeskNews {
  readonly #hints: HeartbeatBus | undefined
  readonly #now: () => number
  readonly #toPerson: DeskParts['typing']
  readonly #listeners = new Set<(change: DeskChange) => void>()
  /** Viewers by conversation and user, with the time of their last sign. */
  readonly #views = new Map<string, Map<string, Viewer & { readonly at: number }>>()
  readonly #told = new Map<string, number>()
  /** Chats with viewers that no frame has named yet. */
  readonly #untold = new Set<string>()
  readonly #typed = new Map<string, number>()
  /** Last frame about each agent who writes, by conversation and user. */
  readonly #typists = new Map<string, number>()
  /** Last sign that the person of a chat writes. */
  readonly #persons = new Map<string, number>()
  /** Revisions of chats to announce. */
  readonly #changed = new Map<string, number>()
  readonly #stop: (() => void) | undefined
  #gathering: NodeJS.Timeout | undefined
  /** Runs while this node shows viewing or typing. */
  #timer: NodeJS.Timeout | undefined

  constructor(hints: HeartbeatBus | undefined, now: () => number, toPerson: DeskParts['typing']) {
    this.#hints = hints
    this.#now = now
    this.#toPerson = toPerson
    this.#stop = hints?.listen(TOPIC, (_sender, hint) => {
      if (hint.kind === 'deskviews') for (const user of hint.users) this.#see(hint.conversation, user)
      if (hint.kind === 'desktyping') this.#type(hint, false)
      if (hint.kind === 'persontyping') this.#personTypes(hint.conversation)
    })
  }

  /** Returns how to stop. */
  follow(listener: (change: DeskChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  chat(conversation: string, revision: number): void {
    if (this.#listeners.size === 0) return
    this.#changed.set(conversation, Math.max(revision, this.#changed.get(conversation) ?? 0))
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      const changes = [...this.#changed]
      this.#changed.clear()
      for (const [changed, newest] of changes) this.#emit({ kind: 'chat', conversation: changed, revision: newest })
    }, GATHER_MS).unref()
  }

  place(user: string): void {
    this.#emit({ kind: 'place', user })
  }

  /** A user looks at a chat; repeated while they do. */
  view(conversation: string, user: Viewer): void {
    this.#see(conversation, user)
    this.#hints?.send(TOPIC, { kind: 'deskviews', conversation, users: [user] })
  }

  type(conversation: string, { user, name }: Viewer, on: boolean): void {
    if (this.#type({ conversation, user, name, on }, true))
      this.#hints?.send(TOPIC, { kind: 'desktyping', conversation, user, name, on })
  }

  /** The person of a conversation writes; repeated while they do. */
  personTypes(conversation: string): void {
    if (this.#personTypes(conversation)) this.#hints?.send(TOPIC, { kind: 'persontyping', conversation })
  }

  /** The message that the person of a conversation was typing has arrived. */
  personWrote(conversation: string): void {
    if (this.#persons.delete(conversation)) this.#emit({ kind: 'person', conversation, on: false })
  }

  isViewing(conversation: string, user: string): boolean {
    return this.viewers(conversation).some(viewer => viewer.user === user)
  }

  viewers(conversation: string): readonly Viewer[] {
    const oldest = this.#now() - SHOWN_MS
    return [...(this.#views.get(conversation)?.values() ?? [])].flatMap(({ at, ...viewer }) =>
      at < oldest ? [] : [viewer],
    )
  }

  /** Ids of conversations with viewers. */
  viewed(): readonly string[] {
    return [...this.#views.keys()]
  }

  close(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#gathering)
    this.#stop?.()
  }

  #emit(change: DeskChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  #see(conversation: string, { user, name }: Viewer): void {
    const views = this.#views.get(conversation) ?? new Map()
    const isNew = !views.has(user)
    this.#views.set(conversation, views.set(user, { user, name, at: this.#now() }))
    this.#keep()
    if (isNew) this.#tellViews(conversation)
  }

  #tellViews(conversation: string): void {
    const now = this.#now()
    if (now - (this.#told.get(conversation) ?? 0) < PAUSE_MS) return void this.#untold.add(conversation)
    this.#untold.delete(conversation)
    this.#told.set(conversation, now)
    this.#emit({ kind: 'viewing', conversation, users: this.viewers(conversation) })
  }

  /** `isHere`: the agent types at this node. Returns whether a frame or a sign was sent. */
  #type(typing: Omit<Extract<DeskChange, { kind: 'typing' }>, 'kind'>, isHere: boolean): boolean {
    const { conversation, user, on } = typing
    const now = this.#now()
    const typist = `${conversation} ${user}`
    const isShown = on && now - (this.#typists.get(typist) ?? 0) < PAUSE_MS
    if (!isShown) {
      if (on) this.#typists.set(typist, now)
      else this.#typists.delete(typist)
      this.#emit({ kind: 'typing', ...typing })
    }
    this.#keep()
    if (on && now - (this.#typed.get(conversation) ?? 0) < TO_PERSON_MS) return !isShown
    if (on) this.#typed.set(conversation, now)
    else this.#typed.delete(conversation)
    this.#toPerson(conversation, on, isHere)
    return true
  }

  /** Returns whether a frame was sent. */
  #personTypes(conversation: string): boolean {
    const now = this.#now()
    if (now - (this.#persons.get(conversation) ?? 0) < PAUSE_MS) return false
    this.#persons.set(conversation, now)
    this.#keep()
    this.#emit({ kind: 'person', conversation, on: true })
    return true
  }

  #keep(): void {
    this.#timer ??= setInterval(() => this.#expire(), PAUSE_MS).unref()
  }

  #expire(): void {
    const now = this.#now()
    for (const [conversation, at] of this.#persons) {
      if (now - at <= SHOWN_MS) continue
      this.#persons.delete(conversation)
      this.#emit({ kind: 'person', conversation, on: false })
    }
    for (const [conversation, views] of this.#views) {
      const before = views.size
      for (const [user, { at }] of views) if (now - at > SHOWN_MS) views.delete(user)
      if (views.size < before) this.#tellViews(conversation)
      if (views.size === 0) this.#views.delete(conversation)
    }
    for (const conversation of [...this.#untold]) this.#tellViews(conversation)
    for (const [conversation, at] of this.#told) if (now - at > SHOWN_MS) this.#told.delete(conversation)
    for (const [conversation, at] of this.#typed) if (now - at > TO_PERSON_MS) this.#typed.delete(conversation)
    for (const [typist, at] of this.#typists) if (now - at > SHOWN_MS) this.#typists.delete(typist)
    const shown = [this.#persons, this.#views, this.#untold, this.#told, this.#typed, this.#typists]
    if (shown.some(({ size }) => size > 0)) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
