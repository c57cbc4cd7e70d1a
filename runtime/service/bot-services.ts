import { randomUUID } from 'node:crypto'
import { appendIfFirst, derivedId, draft, endOf } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Applied, ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Hint } from '#realtime/cluster/hint.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { FixedService } from '#schemas/api/bot-service.ts'
import type { SERVICE_STATUSES } from '#schemas/entities/botservice.ts'
import type { Json } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { giveNotice } from '../alert/give-notice.ts'
import { isStarted } from '../release/releases.ts'
import type { BotLog } from './bot-log.ts'

/** Fields of the record of a service. */
interface ServiceFields {
  readonly [field: string]: Json
  readonly name: string
  readonly systemid: string
  readonly state: string
  readonly status: string
  readonly buildversion: string | null
}

/** Every node derives the same id for the same part of the same bot. */
const serviceId = (bot: string, systemid: string): string => derivedId(bot, `service ${systemid}`)

const typeOf = (row: RowOf<'botservice'> | undefined, isListed: boolean): string => {
  if (row === undefined) return 'BotServiceCreated'
  return isListed ? 'BotServiceChanged' : 'BotServiceRestored'
}

/** Messages about services that are down. Channels have their own, of their health. */
const DOWN: Readonly<Record<string, string>> = { runtime: 'bot.runtimedown', nlu: 'bot.nludown' }
/** Readers are notified after this time: a bot that starts again is down for seconds. */
const LASTING_MS = 60_000

/** Writes the states of services as events of the entity `botservice`: only when they change, and never twice. */
export class ServiceRecord {
  readonly #store: EventStore
  readonly #read: ReadModels

  constructor(store: EventStore, read: ReadModels) {
    this.#store = store
    this.#read = read
  }

  /** True when an event was written. Writes of other nodes in the meantime are seen at the next look. */
  async put(bot: RowOf<'bot'>, fields: ServiceFields): Promise<boolean> {
    const id = serviceId(bot.id, fields.systemid)
    const listed = await this.#read.detail(SYSTEM_SCOPE, 'botservice', id)
    const row = listed ?? (await this.#read.detail(SYSTEM_SCOPE, 'botservice', id, { removed: true }))
    const known: Readonly<Record<string, Json>> = row ?? {}
    const changed = Object.entries(fields).filter(([name, value]) => (known[name] ?? null) !== value)
    if (changed.length === 0 && listed !== undefined) return false
    const type = typeOf(row, listed !== undefined)
    const data = type === 'BotServiceChanged' ? Object.fromEntries(changed) : { bot: bot.id, ...fields }
    return this.#append(bot, id, row?.revision ?? 0, type, data)
  }

  /** Notifies the readers of a bot, once over all nodes, that its runtime or its natural language is down. */
  async tellDown(bot: RowOf<'bot'>, { systemid, status, revision }: RowOf<'botservice'>): Promise<void> {
    const message = DOWN[systemid ?? '']
    if (message === undefined) return
    const notice = { entity: 'bot', id: bot.id, message, kind: 'alert', params: { code: status } } as const
    await giveNotice(this.#store, { ...notice, of: `${systemid} ${revision}` })
  }

  /** Removes the record of a service whose channel was removed. */
  async remove(bot: RowOf<'bot'>, { id, revision }: RowOf<'botservice'>): Promise<boolean> {
    return this.#append(bot, id, revision, 'BotServiceRemoved', {})
  }

  async #append(
    { hierarchylevel }: RowOf<'bot'>,
    id: string,
    revision: number,
    type: string,
    fields: Readonly<Record<string, Json>>,
  ): Promise<boolean> {
    const stream = entityStream('botservice', id)
    const end = await endOf(this.#store, stream)
    if (end.revision !== revision) return false
    const seed = randomUUID()
    const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
    const drafts = [draft(author, type, type, hierarchylevel, { fields })]
    return (await appendIfFirst(this.#store, stream, end, drafts)) !== undefined
  }
}

type ServiceStatus = (typeof SERVICE_STATUSES)[number]

/** A part of a bot on this node. */
interface LocalService {
  readonly systemid: string
  readonly name: string
  /** `ready`, or the reason why it does not work. */
  readonly status: ServiceStatus
}

interface LocalParts {
  readonly read: ReadModels
  /** Undefined: the store accepts writes. */
  readonly refusesWrites: () => string | undefined
  /** Opens the log of conversations if there is one; rejects if it cannot be read. */
  readonly openLog: () => Promise<unknown>
  /** Loads the release of a bot; rejects if it cannot be read. */
  readonly loadRelease: (bot: string) => Promise<unknown>
  /** True if this node does not show older changes of the bot yet. */
  readonly isBehind: () => Promise<boolean>
  /** Whether a bot has natural language; absent: no bot has. */
  readonly hasNlu?: (bot: RowOf<'bot'>) => Promise<boolean>
}

const worked = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  )

const runtimeStatus = async (bot: string, parts: LocalParts): Promise<ServiceStatus> => {
  if (parts.refusesWrites() !== undefined) return 'store'
  if (!(await worked(parts.openLog()))) return 'log'
  if (await parts.isBehind()) return 'behind'
  return (await worked(parts.loadRelease(bot))) ? 'ready' : 'release'
}

/** Parts of a started bot: its runtime, natural language if enabled, and its enabled channels. */
export const localServices = async (bot: RowOf<'bot'>, parts: LocalParts): Promise<readonly LocalService[]> => {
  if (!isStarted(bot)) return []
  const channels = await allRows(parts.read, SYSTEM_SCOPE, 'channel', { bot: bot.id })
  const runtime = await runtimeStatus(bot.id, parts)
  const nlu = bot.nluenabled ? ([(await parts.hasNlu?.(bot)) === true ? 'ready' : 'nlu'] as const) : []
  return [
    { systemid: 'runtime', name: 'runtime', status: runtime },
    ...nlu.map(status => ({ systemid: 'nlu', name: 'nlu', status })),
    ...channels
      .filter(({ enable }) => enable)
      .map(({ id, type, name }) => ({ systemid: `${type}:${id}`, name: name || type, status: runtime })),
  ]
}

type ServicesHint = Extract<Hint, { readonly kind: 'services' }>

/** Report of a node on a part of a bot. */
interface NodeService {
  /** Name of the node. */
  readonly node: string
  readonly version: string
  readonly systemid: string
  readonly status: string
  /** ms since 1970 from which this report is unchanged. */
  readonly since: number
}

interface NodeReport {
  readonly name: string
  readonly version: string
  readonly at: number
  readonly services: readonly NodeService[]
}

/** A node without a report for this long no longer runs its services: two and a half missed beats. */
const SILENT_MS = 25_000

/** Reports of other nodes on bots, in memory. */
class RemoteServiceReports {
  readonly #now: () => number
  /** By node, then by bot. */
  readonly #heard = new Map<string, Map<string, NodeReport>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns the bots whose known state changed. */
  hear(sender: string, { node, version, bots }: ServicesHint): readonly string[] {
    const known = this.#heard.get(sender) ?? new Map<string, NodeReport>()
    this.#heard.set(sender, known)
    const at = this.#now()
    return bots.flatMap(({ bot, services }) => {
      const before = known.get(bot)?.services ?? []
      const now = services.map(({ systemid, status }): NodeService => {
        const same = before.find(one => one.systemid === systemid && one.status === status)
        return { node, version, systemid, status, since: same?.since ?? at }
      })
      known.set(bot, { name: node, version, at, services: now })
      const isSame = now.length === before.length && now.every(one => before.some(({ since }) => since === one.since))
      return isSame ? [] : [bot]
    })
  }

  /** Forgets a node that has said goodbye. Returns its bots. */
  leave(sender: string): readonly string[] {
    const bots = [...(this.#heard.get(sender)?.keys() ?? [])]
    this.#heard.delete(sender)
    return bots
  }

  /** Forgets reports that were not repeated. Returns the bots concerned. */
  forgetSilent(): readonly string[] {
    const oldest = this.#now() - SILENT_MS
    const silent: string[] = []
    for (const bots of this.#heard.values())
      for (const [bot, { at }] of bots)
        if (at < oldest) {
          bots.delete(bot)
          silent.push(bot)
        }
    return silent
  }

  /** Ids of the nodes that run a bot, as used in their hints. */
  nodesWith(bot: string): readonly string[] {
    return [...this.#heard].flatMap(([sender, bots]) => ((bots.get(bot)?.services.length ?? 0) > 0 ? [sender] : []))
  }

  of(bot: string): readonly NodeService[] {
    return [...this.#heard.values()].flatMap(bots => bots.get(bot)?.services ?? [])
  }
}

const TOPIC = 'service'
const BEAT_MS = 10_000
/** Changes within this time are processed together. */
const GATHER_MS = 100
/** A node that has just started does not know yet what the others run. */
const NEWCOMER_MS = 2_000
const MAX_BOTS_TOLD = 500

interface BotServicesOptions {
  readonly hints: Pick<Hints, 'listen' | 'send' | 'connected' | 'onConnected'>
  readonly read: ReadModels
  readonly record: Pick<ServiceRecord, 'put' | 'remove' | 'tellDown'>
  readonly local: (bot: RowOf<'bot'>) => Promise<readonly LocalService[]>
  /** Reopens failed services here; returns the number of turns taken over from dead nodes. */
  readonly mend: (bot: string) => Promise<number>
  readonly botLog: Pick<BotLog, 'log'>
  /** Display name of this node. */
  readonly node: string
  readonly version: string
  /** Other nodes may run the same bots. */
  readonly isShared: boolean
  readonly failed: (error: unknown) => void
  readonly now?: () => number
}

/** Result of `fix` on a node. */
interface FixReport {
  readonly services: readonly FixedService[]
  /** Turns taken over from dead nodes. */
  readonly claims: number
}

interface OwnServices {
  readonly services: readonly (LocalService & { readonly since: number })[]
}

/**
 * The services of bots: each node sends every 10 s the services that it runs, with their status; a service's resulting
 * state is stored when it changes.
 */
export class BotServices {
  readonly #options: BotServicesOptions
  readonly #now: () => number
  readonly #heard: RemoteServiceReports
  readonly #own = new Map<string, OwnServices>()
  readonly #waiting = new Set<string>()
  /** Revisions of services whose readers were notified that they are down. */
  readonly #told = new Map<string, number>()
  readonly #stops: (() => void)[] = []
  readonly #began: number
  #gathering: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: BotServicesOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#began = this.#now()
    this.#heard = new RemoteServiceReports(this.#now)
    const { hints, read } = options
    this.#stops.push(
      hints.listen(TOPIC, (sender, hint) => {
        if (hint.kind === 'services') this.#lookLater(this.#heard.hear(sender, hint))
        else if (hint.kind === 'bye') this.#lookLater(this.#heard.leave(sender))
        else if (hint.kind === 'services?') this.#say([...this.#own.keys()])
        else if (hint.kind === 'fix') void this.#mend(hint.bot)
      }),
      read.onTouched(['bot', 'channel'], touched => void this.#touched(touched).catch(options.failed)),
    )
    hints.onConnected(() => this.#greet())
    this.#greet()
    const beat = setInterval(() => this.#beat(), BEAT_MS).unref()
    const settle = setTimeout(() => this.#beat(), NEWCOMER_MS).unref()
    this.#stops.push(
      () => clearInterval(beat),
      () => clearTimeout(settle),
    )
    this.#beat()
  }

  /** Report of each node on the parts of a bot, this node first. */
  nodesOf(bot: string): readonly NodeService[] {
    const { node, version } = this.#options
    const own = (this.#own.get(bot)?.services ?? []).map(({ systemid, status, since }) => ({
      node,
      version,
      systemid,
      status,
      since,
    }))
    return [...own, ...this.#heard.of(bot)]
  }

  /** Ids of the other nodes that report a bot as running. */
  othersOf(bot: string): readonly string[] {
    return this.#heard.nodesWith(bot)
  }

  /** Whether this node can conclude that no node runs a service. */
  hearsAll(): boolean {
    const { isShared, hints } = this.#options
    return !isShared || (hints.connected && this.#now() - this.#began >= NEWCOMER_MS)
  }

  /** Reopens failed services, here and on the other nodes, and returns the result of this node. */
  async fix(bot: string): Promise<FixReport> {
    this.#options.hints.send(TOPIC, { kind: 'fix', bot })
    const before = new Map(this.#own.get(bot)?.services.map(({ systemid, status }) => [systemid, status]))
    const claims = await this.#mend(bot)
    const services = (this.#own.get(bot)?.services ?? []).map(({ systemid, name, status: after }): FixedService => {
      const was = before.get(systemid) ?? 'silent'
      const did = after !== 'ready' ? 'unmended' : was === 'ready' ? 'nothing' : 'reopened'
      return { systemid, name, before: was, after, did }
    })
    return { services, claims }
  }

  async #mend(bot: string): Promise<number> {
    const claims = await this.#options.mend(bot).catch(error => {
      this.#options.failed(error)
      return 0
    })
    const looked = this.#working.then(() => this.#look(bot)).catch(error => this.#fail(error))
    this.#working = looked
    await looked
    return claims
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#gathering)
    for (const stop of this.#stops) stop()
    // A report sent after the farewell would announce this node again.
    await this.#working
    this.#options.hints.send(TOPIC, { kind: 'bye' })
  }

  #greet(): void {
    this.#options.hints.send(TOPIC, { kind: 'services?' })
    this.#say([...this.#own.keys()])
  }

  #beat(): void {
    this.#heard.forgetSilent()
    const looked = this.#working.then(() => this.#lookAll()).then(() => this.#say([...this.#own.keys()]))
    this.#working = looked.catch(error => this.#fail(error))
  }

  #fail(error: unknown): void {
    if (!this.#isClosed) this.#options.failed(error)
  }

  async #lookAll(): Promise<void> {
    const { read } = this.#options
    const bots = new Set(this.#own.keys())
    for (const runningstatus of ['pending', 'started', 'running'])
      for (const { id } of await allRows(read, SYSTEM_SCOPE, 'bot', { runningstatus })) bots.add(id)
    // Services that were stopped while no node was up to record it.
    for (const state of ['up', 'down'])
      for (const { bot } of await allRows(read, SYSTEM_SCOPE, 'botservice', { state })) bots.add(bot)
    for (const bot of bots) if (!this.#isClosed) await this.#look(bot)
  }

  async #touched(touched: Applied['touched']): Promise<void> {
    const bots = await Promise.all(
      touched.map(async ({ entity, id }) => {
        if (entity === 'bot') return id
        const row = await this.#options.read.detail(SYSTEM_SCOPE, 'channel', id, { removed: true })
        return row?.bot
      }),
    )
    this.#lookLater(bots.filter(bot => bot !== undefined))
  }

  #lookLater(bots: readonly string[]): void {
    for (const bot of bots) this.#waiting.add(bot)
    if (bots.length === 0 || this.#isClosed) return
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      const those = [...this.#waiting]
      this.#waiting.clear()
      const looked = this.#working.then(async () => {
        for (const bot of those) await this.#look(bot)
      })
      this.#working = looked.catch(error => this.#fail(error))
    }, GATHER_MS).unref()
  }

  async #look(bot: string): Promise<void> {
    const row = await this.#options.read.detail(SYSTEM_SCOPE, 'bot', bot)
    const before = this.#own.get(bot)?.services ?? []
    const services = row === undefined || this.#isClosed ? [] : await this.#options.local(row)
    const now = this.#now()
    const held = services.map(service => {
      const same = before.find(({ systemid, status }) => systemid === service.systemid && status === service.status)
      return { ...service, since: same?.since ?? now }
    })
    if (held.length === 0) this.#own.delete(bot)
    else this.#own.set(bot, { services: held })
    const isSame = held.length === before.length && held.every(one => before.some(({ since }) => since === one.since))
    if (!isSame) this.#say([bot])
    if (row !== undefined) await this.#write(row)
  }

  #say(bots: readonly string[]): void {
    const { hints, node, version } = this.#options
    for (let first = 0; first < bots.length; first += MAX_BOTS_TOLD) {
      const told = bots.slice(first, first + MAX_BOTS_TOLD).map(bot => ({
        bot,
        services: (this.#own.get(bot)?.services ?? []).map(({ systemid, status }) => ({ systemid, status })),
      }))
      hints.send(TOPIC, { kind: 'services', node, version, bots: told })
    }
  }

  async #write(bot: RowOf<'bot'>): Promise<void> {
    const { read, record } = this.#options
    const known: RowOf<'botservice'>[] = []
    for (const row of await allRows(read, SYSTEM_SCOPE, 'botservice', { bot: bot.id }))
      if (await this.#isThere(row)) known.push(row)
      else await record.remove(bot, row)
    const wanted = this.#wanted(bot, known)
    for (const fields of wanted) await this.#put(bot, fields, known)
    const isDown = (id: string | null) => wanted.some(({ systemid, state }) => systemid === id && state === 'down')
    for (const row of known) if (row.state === 'down' && isDown(row.systemid)) await this.#tellDown(bot, row)
  }

  async #put(bot: RowOf<'bot'>, fields: ServiceFields, known: readonly RowOf<'botservice'>[]): Promise<void> {
    if (!(await this.#options.record.put(bot, fields))) return
    const before = known.find(({ systemid }) => systemid === fields.systemid)?.state
    if (before === fields.state || (before === undefined && fields.state !== 'up')) return
    const level = fields.state === 'down' ? 'error' : 'info'
    this.#options.botLog.log({ level, code: `service.${fields.state}`, bot: bot.id, service: fields.systemid })
  }

  async #tellDown(bot: RowOf<'bot'>, row: RowOf<'botservice'>): Promise<void> {
    if (this.#now() - Date.parse(row.modified_at) < LASTING_MS || this.#told.get(row.id) === row.revision) return
    await this.#options.record.tellDown(bot, row)
    this.#told.set(row.id, row.revision)
  }

  /** Fields that the record of each service of a bot must have. */
  #wanted(bot: RowOf<'bot'>, known: readonly RowOf<'botservice'>[]): readonly ServiceFields[] {
    const said = this.nodesOf(bot.id)
    const own = this.#own.get(bot.id)?.services ?? []
    const started = isStarted(bot)
    return [...new Set([...own, ...known].map(({ systemid }) => systemid ?? ''))].flatMap(systemid => {
      const row = known.find(one => one.systemid === systemid)
      const name = own.find(one => one.systemid === systemid)?.name ?? row?.name ?? ''
      const of = said.filter(one => one.systemid === systemid)
      const up = of.find(({ status }) => status === 'ready')
      const version = (up ?? of[0])?.version ?? row?.buildversion ?? null
      const is = (state: string, status: string) => [{ name, systemid, state, status, buildversion: version }]
      if (!started) return is('stopped', 'stopped')
      if (up !== undefined) return is('up', 'ready')
      if (of.length === 0) return is('stopped', 'disabled')
      return this.hearsAll() ? is('down', of[0]?.status ?? 'silent') : []
    })
  }

  /** Whether the subject of a service, its channel, still exists. */
  async #isThere({ systemid }: RowOf<'botservice'>): Promise<boolean> {
    const channel = /^\w+:(.+)$/u.exec(systemid ?? '')?.[1]
    return channel === undefined || (await this.#options.read.detail(SYSTEM_SCOPE, 'channel', channel)) !== undefined
  }
}
