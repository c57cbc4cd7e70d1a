import * as Y from 'yjs'
import { type Draft, NO_STREAM, seal, type Tail } from '#commands/pipeline/append.ts'
import { captureEdit } from '#domain/flow/diff/summarize.ts'
import { createFlow } from '#domain/flow/document/document.ts'
import { addNode, moveNodes, setTitle } from '#domain/flow/document/edit.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject, NewEvent } from '#schemas/event.ts'
import { NO_CHANGES } from '#schemas/flow/summary.ts'

/** Blocks are added up to here; then they are moved and given titles. */
const BLOCKS = 100
const TYPES = ['text', 'prompt', 'condition', 'restservice', 'marker']

/** A flow that grows by single edits, each as a room writes it. */
class MixedFlow {
  readonly id: string
  readonly level: string
  readonly #doc: Y.Doc
  readonly #clients = new Map<string, number>()
  readonly #first: number
  #revision = 0
  #blocks = 0

  /** `number` keeps the ids of Yjs clients the same from run to run. */
  constructor(id: string, level: string, number: number) {
    this.id = id
    this.level = level
    this.#first = number * 100
    this.#doc = createFlow()
  }

  /** Data of the next `FlowEdited`. */
  edit(user: string, dice: number, title: string): JsonObject {
    const known = this.#clients.get(user)
    const client = known ?? this.#first + this.#clients.size + 2
    this.#clients.set(user, client)
    this.#doc.clientID = client
    const from = Y.getState(this.#doc.store, client)
    const captured = captureEdit(this.#doc, () => this.#draw(dice, title))
    const update = this.#revision === 0 || captured === null ? Y.encodeStateAsUpdate(this.#doc) : captured.update
    this.#revision += 1
    return {
      update: Buffer.from(update).toString('base64'),
      authors: [user],
      bindings: known === undefined ? [{ client, user }] : [],
      ranges: [{ client, from, to: Y.getState(this.#doc.store, client) }],
      summary: (captured?.summary ?? NO_CHANGES) as unknown as JsonObject,
    }
  }

  #draw(dice: number, title: string): void {
    const x = (dice % 40) * 40
    const y = this.#revision * 20
    if (this.#blocks < BLOCKS && (this.#blocks < 5 || dice < 300)) {
      const type = TYPES[dice % TYPES.length] ?? 'text'
      addNode(this.#doc, { id: `n${this.#blocks++}`, type, title, x, y }, 'bench')
      return
    }
    const id = `n${dice % this.#blocks}`
    if (dice % 3 === 0) setTitle(this.#doc, id, title, 'bench')
    else moveNodes(this.#doc, new Map([[id, { x, y }]]), 'bench')
  }
}

export interface Fact {
  readonly stream: string
  readonly revision: number
  readonly event: NewEvent
}

interface Thing {
  readonly entity: string
  readonly id: string
  readonly level: string
  removed: boolean
}

const DECLARATIONS: Readonly<Record<string, EntityDeclaration>> = ENTITIES
const STARTED = Date.parse('2025-01-06T08:00:00.000Z')
const LEVELS = 20
const USERS = 60
/** Out of a thousand facts, after the first: the rest are changes. */
const SHARE = { creation: 220, removal: 30, edit: 270, session: 130, failure: 20 }
/** Created kinds, weighted by repetition; a dialog also creates a flow. */
const KINDS = [
  ...['bot', 'dialogtask', 'dialogtask', 'dialog', 'dialog', 'dialog', 'codesample', 'codesample', 'codesample'],
  ...['globalvariable', 'globalvariable', 'variable', 'variable', 'variable', 'variable', 'localemessage'],
]
/** One creation of dialogs in as many gives a flow that is edited: flows get hundreds of edits each. */
const DRAWN = 25
/** Flows in use, users who draw at a time, and edits that one makes before moving to another flow. */
const RECENT = 400
const DESKS = 8
const SITTING = 60
const WORDS =
  'atendimento cobrança pedido entrega segunda via boleto endereço troca cancelar horário loja cliente'.split(' ')

/** The way of a sign-in, in the event of its session. */
const BY_PASSWORD = { way: 'password', provider: null, sub: null, sid: null }

/** Events as months of work in a busy company write them: people, entities, changes, drawing and sign-ins mixed. */
export class MixedLog {
  readonly #tails = new Map<string, Tail>()
  readonly #things: Thing[] = []
  readonly #parents = new Map<string, string[]>()
  readonly #flows: MixedFlow[] = []
  readonly #drawings: ({ readonly flow: MixedFlow; readonly user: string } | undefined)[] = []
  readonly #sessions: { id: string; user: string }[] = []
  readonly #waiting: Fact[] = []
  #seed = 1
  #clock = STARTED
  #ids = 0
  #dialogs = 0

  take(count: number): readonly Fact[] {
    if (this.#ids === 0) this.#people()
    while (this.#waiting.length < count) this.#something()
    return this.#waiting.splice(0, count)
  }

  #people(): void {
    for (let n = 0; n < LEVELS; n++) {
      const parent = n === 0 ? null : `level${Math.floor((n - 1) / 3)}`
      this.#entity('hierarchy', `level${n}`, 'Created', { name: `Level ${n}`, parent }, `level${n}`, null)
    }
    const roles = { name: 'Builder', actions: ['readbot', 'readdialog'], services: ['bot', 'dialog'] }
    this.#entity('role', 'builder', 'Created', roles, 'level0', null)
    this.#entity('usergroup', 'builders', 'Created', { name: 'Builders', roles: ['builder'] }, 'level0', null)
    for (let n = 0; n < USERS; n++) {
      const fields = { username: `user${n}`, usergroup: ['builders'] }
      this.#entity('user', `user${n}`, 'Created', fields, `level${n % LEVELS}`, null)
    }
    for (const kind of ['bot', 'dialogtask', 'dialog', 'codesample']) this.#create(kind)
  }

  #something(): void {
    let dice = this.#random(1000)
    for (const [kind, share] of Object.entries(SHARE)) {
      if (dice < share) {
        this.#happen(kind)
        return
      }
      dice -= share
    }
    this.#change()
  }

  #happen(kind: string): void {
    if (kind === 'creation') this.#create(this.#pick(KINDS))
    else if (kind === 'removal') this.#remove()
    else if (kind === 'edit') this.#edit()
    else if (kind === 'session') this.#session()
    else this.#failure()
  }

  #create(entity: string): void {
    const id = this.#uuid()
    const parent = { dialogtask: 'bot', dialog: 'dialogtask', variable: 'bot' }[entity]
    const within = parent === undefined ? {} : { [parent]: this.#pick(this.#parents.get(parent) ?? ['']) }
    const level = `level${this.#random(LEVELS)}`
    const initial = Object.entries(DECLARATIONS[entity]?.fields ?? {}).map(([name, field]) => [name, field.initial])
    const texts = { name: this.#words(3), ...(entity === 'codesample' ? { description: this.#words(12) } : {}) }
    this.#entity(entity, id, 'Created', { ...Object.fromEntries(initial), ...texts, ...within }, level)
    this.#things.push({ entity, id, level, removed: false })
    if (entity === 'bot' || entity === 'dialogtask') {
      this.#parents.set(entity, [...(this.#parents.get(entity) ?? []), id].slice(-500))
    }
    if (entity === 'dialog' && this.#dialogs++ % DRAWN === 0) this.#flows.push(new MixedFlow(id, level, this.#ids))
  }

  #change(): void {
    const thing = this.#pick(this.#things)
    if (thing.removed) return
    const fields: Record<string, Json> = { name: this.#words(3) }
    if (thing.entity === 'codesample') fields.code = `return '${this.#words(20)}'`
    if (thing.entity === 'bot') fields.stepdelay = this.#random(5000)
    this.#entity(thing.entity, thing.id, 'Changed', fields, thing.level)
  }

  /** Containers stay, so that a removal affects one entity at a time, as it mostly does. */
  #remove(): void {
    const thing = this.#pick(this.#things)
    if (thing.entity === 'bot' || thing.entity === 'dialogtask') return
    thing.removed = !thing.removed
    this.#entity(thing.entity, thing.id, thing.removed ? 'Removed' : 'Restored', {}, thing.level)
  }

  #edit(): void {
    const desk = this.#random(DESKS)
    const drawing = this.#drawings[desk]
    const { flow, user } = drawing ?? {
      flow: this.#pick(this.#flows.slice(-RECENT)),
      user: `user${this.#random(USERS)}`,
    }
    this.#drawings[desk] = this.#random(SITTING) === 0 ? undefined : { flow, user }
    const data = flow.edit(user, this.#random(1000), this.#words(4))
    this.#fact(`flow-${flow.id}`, 'FlowEdited', data, flow.level, user)
  }

  #session(): void {
    const old = this.#sessions.length > USERS ? this.#sessions.shift() : undefined
    if (old !== undefined) {
      const { id, user } = old
      this.#fact(`session-${id}`, 'SessionEnded', { user, reason: 'signout' }, 'level0', user)
      return
    }
    const user = `user${this.#random(USERS)}`
    const id = this.#uuid()
    const time = this.#now()
    const expires = new Date(this.#clock + 12 * 3_600_000).toISOString()
    this.#fact(`session-${id}`, 'SessionStarted', { user, level: 'level0', expires, ...BY_PASSWORD }, 'level0', user)
    this.#entity('user', user, 'SignedIn', { loginattempts: 0, login_timestamp: time }, 'level0', user)
    this.#sessions.push({ id, user })
  }

  #failure(): void {
    this.#fact(`signin-${this.#random(500)}`, 'SignInFailed', { user: null, attempts: 1 }, null, null)
  }

  #entity(
    entity: string,
    id: string,
    verb: string,
    fields: JsonObject,
    level: string,
    actor: string | null = `user${this.#random(USERS)}`,
  ): void {
    this.#fact(`${entity}-${id}`, `${DECLARATIONS[entity]?.type}${verb}`, { fields }, level, actor)
  }

  #fact(stream: string, type: string, data: JsonObject, level: string | null, actor: string | null): void {
    this.#clock += this.#random(4000)
    const id = this.#uuid()
    const draft: Draft = {
      id,
      type,
      version: 1,
      data,
      time: this.#now(),
      actor,
      correlation: id,
      causation: null,
      level,
    }
    const tail = this.#tails.get(stream) ?? NO_STREAM
    const revision = tail.revision + 1
    for (const event of seal(stream, tail, [draft])) {
      this.#tails.set(stream, { revision, hash: event.hash })
      this.#waiting.push({ stream, revision, event })
    }
  }

  #now(): string {
    return new Date(this.#clock).toISOString()
  }

  #uuid(): string {
    this.#ids += 1
    const spread = Math.imul(this.#ids, 2_654_435_761) >>> 0
    return `${spread.toString(16).padStart(8, '0')}-0000-4000-8000-${String(this.#ids).padStart(12, '0')}`
  }

  #words(most: number): string {
    return Array.from({ length: 1 + this.#random(most) }, () => this.#pick(WORDS)).join(' ') + this.#random(10_000)
  }

  #pick<T>(values: readonly T[]): T {
    const value = values[this.#random(values.length)]
    if (value === undefined) throw new RangeError('there is nothing to pick from')
    return value
  }

  /** A plain generator (32 bits of a linear congruence): the same log at every run. */
  #random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#seed / 2 ** 32) * below)
  }
}
