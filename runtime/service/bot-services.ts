import type { Applied, ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { FixedService } from '#schemas/api/bot-service.ts'
import { isStarted } from '../release/releases.ts'
import type { BotLog } from './bot-log.ts'
import { type NodeService, RemoteServiceReports } from './remote-service-reports.ts'
import type { LocalService, ServiceFields, ServiceRecord } from './service-record.ts'

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
  readonly record: Pick<ServiceRecord, 'put' | 'remove'>
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
 * state is stored when it changes (RUNTIME 94).
 */
export class BotServices {
  readonly #options: BotServicesOptions
  readonly #now: () => number
  readonly #heard: RemoteServiceReports
  readonly #own = new Map<string, OwnServices>()
  readonly #waiting = new Set<string>()
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

  /** Reopens failed services, here and on the other nodes, and returns the result of this node (RUNTIME 95). */
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
    for (const fields of this.#wanted(bot, known)) await this.#put(bot, fields, known)
  }

  async #put(bot: RowOf<'bot'>, fields: ServiceFields, known: readonly RowOf<'botservice'>[]): Promise<void> {
    if (!(await this.#options.record.put(bot, fields))) return
    const before = known.find(({ systemid }) => systemid === fields.systemid)?.state
    if (before === fields.state || (before === undefined && fields.state !== 'up')) return
    const level = fields.state === 'down' ? 'error' : 'info'
    this.#options.botLog.log({ level, code: `service.${fields.state}`, bot: bot.id, service: fields.systemid })
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
