import { randomUUID } from 'node:crypto'
import type { Json } from '#schemas/event.ts'
import { MAX_ANSWER_PARTS } from './hint.ts'
import type { Hints } from './hints.ts'

const NODE_LIST_TOPIC = 'nodes'
const BEAT_MS = 1_000
/** A node without a beat for this long has ended. */
const GONE_MS = 25_000
const MAX_NODES = 200

interface NodeListOptions {
  readonly hints: Pick<Hints, 'connected' | 'listen' | 'onConnected' | 'send'>
  /** Display name of this node. */
  readonly name: string
  readonly now?: () => number
}

/** The other nodes that live, by their beats. Times without the bus do not count: nothing can be heard then. */
export class NodeList {
  readonly #options: NodeListOptions
  readonly #now: () => number
  readonly #nodes = new Map<string, { readonly name: string; heard: number }>()
  readonly #stop: () => void
  readonly #beat: NodeJS.Timeout
  #wasConnected = false

  constructor(options: NodeListOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    const { hints } = options
    this.#stop = hints.listen(NODE_LIST_TOPIC, (node, hint) => {
      if (hint.kind === 'bye') this.#nodes.delete(node)
      else if (hint.kind === 'here') this.#hear(node, hint.name)
    })
    hints.onConnected(() => this.#tell())
    this.#tell()
    this.#beat = setInterval(() => this.#tell(), BEAT_MS).unref()
  }

  /** Names of the other nodes by id. */
  others(): ReadonlyMap<string, string> {
    this.#forgetGone()
    return new Map([...this.#nodes].map(([node, { name }]) => [node, name]))
  }

  /** ms since the last beat of a node; undefined for an unknown node. */
  silence(node: string): number | undefined {
    this.#forgetGone()
    const known = this.#nodes.get(node)
    return known === undefined ? undefined : this.#now() - known.heard
  }

  close(): void {
    clearInterval(this.#beat)
    this.#stop()
    this.#options.hints.send(NODE_LIST_TOPIC, { kind: 'bye' })
  }

  #tell(): void {
    this.#forgetGone()
    this.#options.hints.send(NODE_LIST_TOPIC, { kind: 'here', name: this.#options.name })
  }

  #hear(node: string, name: string): void {
    const isNew = !this.#nodes.has(node)
    if (isNew && this.#nodes.size >= MAX_NODES) return
    this.#nodes.set(node, { name, heard: this.#now() })
    // A new node learns at once which nodes exist.
    if (isNew) this.#tell()
  }

  #forgetGone(): void {
    const now = this.#now()
    const isConnected = this.#options.hints.connected
    if (isConnected && !this.#wasConnected) for (const known of this.#nodes.values()) known.heard = now
    this.#wasConnected = isConnected
    if (!isConnected) return
    for (const [node, { heard }] of this.#nodes) if (now - heard > GONE_MS) this.#nodes.delete(node)
  }
}

const TOPIC = 'ask'
/** Nodes answer a question to all of them within this time, or count as silent. */
const ALL_MS = 1_000
/** A question to one node ends when the node has not beaten for this long. */
const DEAD_MS = 5_000
/** A node that is not known yet may be heard of within this time. */
const UNKNOWN_MS = 1_000
/** Longest wait for an answer of one node, below the time limit of a request. */
const ONE_MS = 100_000
const LOOK_MS = 100
/** Questions of this node that wait, and questions of others that it answers at one time. */
const MAX_PENDING = 500
const MAX_ANSWERING = 100

interface QuestionsOptions {
  readonly hints: Hints
  readonly nodes: NodeList
  readonly failed: (error: unknown) => void
}

interface PendingQuestion {
  /** Parts of the answers by node. */
  readonly parts: Map<string, Uint8Array[]>
  /** Undefined: the node failed to answer. */
  readonly answered: (node: string, answer: Json | undefined) => void
  /** Whether an answer of this node is expected. */
  readonly expects: (node: string) => boolean
}

/** Answers of all nodes to one question. */
interface Answers {
  readonly answers: readonly Json[]
  /** Names of the known nodes that did not answer in time. */
  readonly silent: readonly string[]
}

type Handler = (content: Json) => Promise<Json>

/** Questions from node to node over the bus. An answer may be missing, and is then not waited for. */
export class Questions {
  readonly #options: QuestionsOptions
  readonly #handlers = new Map<string, Handler>()
  readonly #asked = new Map<string, PendingQuestion>()
  readonly #stops: readonly (() => void)[]
  #answering = 0

  constructor(options: QuestionsOptions) {
    this.#options = options
    const { hints, failed } = options
    const listen = (topic: string) =>
      hints.listen(topic, (sender, hint, bytes) => {
        if (hint.kind === 'ask') void this.#answer(sender, hint, bytes).catch(failed)
        else if (hint.kind === 'answer') this.#hear(sender, hint, bytes)
      })
    this.#stops = [listen(TOPIC), listen(topicOf(hints.node))]
  }

  /** Id of this node. */
  get node(): string {
    return this.#options.hints.node
  }

  /** Answers questions of other nodes about something. */
  answer(about: string, handler: Handler): void {
    this.#handlers.set(about, handler)
  }

  /** Asks every other node, and waits a second for the answers. */
  async ask(about: string, content: Json): Promise<Answers> {
    const { nodes } = this.#options
    const others = nodes.others()
    const answers = new Map<string, Json | undefined>()
    const isComplete = () => [...others.keys()].every(node => answers.has(node))
    if (others.size > 0) {
      const until = performance.now() + ALL_MS
      await this.#send(TOPIC, about, content, {
        expects: node => others.has(node),
        answered: (node, answer) => answers.set(node, answer),
        isOver: () => isComplete() || performance.now() >= until,
      })
    }
    return {
      answers: [...answers.values()].filter(answer => answer !== undefined),
      silent: [...others].flatMap(([id, name]) => (answers.get(id) === undefined ? [name] : [])),
    }
  }

  /** Asks one node. Undefined: the node stopped or did not answer in time. */
  async askNode(node: string, about: string, content: Json): Promise<Json | undefined> {
    const { nodes } = this.#options
    let answer: Json | undefined
    let isAnswered = false
    const began = performance.now()
    await this.#send(topicOf(node), about, content, {
      expects: sender => sender === node,
      answered: (_node, given) => {
        answer = given
        isAnswered = true
      },
      isOver: () => {
        const passed = performance.now() - began
        const silence = nodes.silence(node)
        if (isAnswered || passed > ONE_MS) return true
        return silence === undefined ? passed > UNKNOWN_MS : silence > DEAD_MS
      },
    })
    return answer
  }

  close(): void {
    for (const stop of this.#stops) stop()
  }

  /** Sends a question and waits until `isOver`. */
  async #send(
    topic: string,
    about: string,
    content: Json,
    { expects, answered, isOver }: Omit<PendingQuestion, 'parts'> & { readonly isOver: () => boolean },
  ): Promise<void> {
    const { hints } = this.#options
    const bytes = Buffer.from(JSON.stringify(content))
    if (!hints.connected || this.#asked.size >= MAX_PENDING || bytes.length > hints.largest) return
    const ask = randomUUID()
    const ended = Promise.withResolvers<void>()
    const look = () => {
      if (isOver() || !hints.connected) ended.resolve()
    }
    const timer = setInterval(look, LOOK_MS)
    this.#asked.set(ask, {
      parts: new Map(),
      expects,
      answered: (node, answer) => {
        answered(node, answer)
        look()
      },
    })
    try {
      hints.send(topic, { kind: 'ask', ask, about }, bytes)
      await ended.promise
    } finally {
      clearInterval(timer)
      this.#asked.delete(ask)
    }
  }

  async #answer(sender: string, { ask, about }: { ask: string; about: string }, bytes: Uint8Array): Promise<void> {
    const handler = this.#handlers.get(about)
    const send = (part: number, parts: number, content?: Uint8Array) =>
      this.#options.hints.send(topicOf(sender), { kind: 'answer', ask, part, parts }, content)
    // Without an answer a question to this node alone would wait for as long as it beats.
    if (handler === undefined || this.#answering >= MAX_ANSWERING) return send(0, 1)
    this.#answering += 1
    try {
      const content = Buffer.from(JSON.stringify(await handler(JSON.parse(Buffer.from(bytes).toString()))))
      const { largest } = this.#options.hints
      const parts = Math.ceil(content.length / largest)
      if (parts > MAX_ANSWER_PARTS) throw new Error(`the answer about ${about} has ${content.length} bytes`)
      for (let part = 0; part < parts; part++) send(part, parts, content.subarray(part * largest, (part + 1) * largest))
    } catch (error) {
      send(0, 1)
      throw error
    } finally {
      this.#answering -= 1
    }
  }

  #hear(node: string, { ask, part, parts }: { ask: string; part: number; parts: number }, bytes: Uint8Array): void {
    const asked = this.#asked.get(ask)
    if (asked?.expects(node) !== true) return
    const known = asked.parts.get(node) ?? []
    // Parts of one sender arrive in order; if one is missing, the node counts as silent.
    if (part !== known.length) return
    known.push(bytes)
    asked.parts.set(node, known)
    if (known.length < parts) return
    const content = Buffer.concat(known).toString()
    try {
      asked.answered(node, content === '' ? undefined : JSON.parse(content))
    } catch (error) {
      this.#options.failed(error)
    }
  }
}

const topicOf = (node: string) => `ask.${node}`
