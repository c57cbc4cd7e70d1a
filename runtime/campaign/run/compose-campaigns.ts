import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Follower, follow } from '#commands/store/follow.ts'
import { isThrottle } from '#domain/channel-health.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { RUN_PREFIXES, SUPPRESSION_PREFIX } from '#schemas/events/campaign.ts'
import { DELIVERY_PREFIX } from '#schemas/events/conversation.ts'
import { fieldText } from '#schemas/json.ts'
import type { EventRoute, InboxFollowers } from '../../channel/exchange/inbox.ts'
import { openAccount, openGraph } from '../../channel/shared/graph.ts'
import { type SenderSource, sourceOf } from '../../channel/template/open-senders.ts'
import type { ConversationsWithExchange } from '../../conversation/compose-conversations.ts'
import { openHolidays } from '../../isolation/pooled-work.ts'
import type { RuntimeParts } from '../../parts.ts'
import { shortDigest } from '../audience/audience.ts'
import type { Audiences } from '../audience/compose-audience.ts'
import { openPeopleFacts } from '../audience/people-facts.ts'
import { Segments } from '../audience/segments.ts'
import { type OptOuts, openOptOutLists, optOutFollower } from '../optout/opt-outs.ts'
import { CampaignNotices } from './campaign-notices.ts'
import type { SendingParts } from './campaign-port.ts'
import { fireSchedules } from './fire-schedules.ts'
import { Receipts } from './receipts.ts'
import { ReviewJobs } from './review.ts'
import { RunDriver } from './run-driver.ts'
import { RunIndex } from './run-index.ts'
import { openSelections, type RunSelections } from './selection.ts'
import { NumberLease, NumberPaces, RENEW_MS } from './send-rate.ts'

/** States of a campaign whose run still needs work. */
const OPEN = ['planned', 'running', 'waiting', 'pausing', 'cancelling', 'paused'] as const
/** Interval of the search for interrupted runs, and runs of other nodes. */
const SWEEP_MS = 5000
const CLOCK_MS = 10_000
/** A channel's number is kept in memory this long. */
const NUMBER_MS = 60_000
const STOP_MS = 5000
const CAUGHT_UP_MS = 10_000

interface CampaignOptions extends Omit<SendingParts, 'bucketOf' | 'now'> {
  readonly segments: Segments
  readonly selections: RunSelections
  readonly read: RuntimeParts['read']
  /** The console's log, which contains people's commands to campaigns. */
  readonly console: RuntimeParts['store']
  readonly isShared: boolean
  /** Opt-outs after messages of a campaign, from a moment on (ISO 8601), with all events of the log until now. */
  readonly optOutsOf: (campaign: string, since: string) => Promise<number>
  /** Called when a run is taken over from another node. */
  readonly tookOver?: () => void
  readonly now?: () => number
}

interface Driven {
  readonly driver: RunDriver
  readonly ended: Promise<void>
  readonly number: string
  /** Lease of the run's number, when several nodes may send. */
  readonly lease: NumberLease | undefined
}

/** Sends the campaigns of an installation, and handles the receipts of their messages. */
export class Campaigns {
  readonly index: RunIndex
  readonly reviews: ReviewJobs
  readonly segments: Segments
  readonly selections: RunSelections
  readonly now: () => number
  readonly #options: CampaignOptions
  readonly #parts: SendingParts
  readonly #node = randomUUID()
  readonly #receipts: Receipts
  readonly #driven = new Map<string, Driven>()
  readonly #leases = new Map<string, NumberLease>()
  readonly #paces: NumberPaces
  readonly #notices: CampaignNotices
  readonly #timers: NodeJS.Timeout[] = []
  #following: Follower | undefined
  #conversations: Follower | undefined
  /** Numbers of channels, read again every minute. */
  readonly #numbers = new Map<string, { readonly number: string; readonly at: number }>()
  #isClosed = false

  constructor(options: CampaignOptions) {
    this.#options = options
    this.index = options.index
    this.segments = options.segments
    this.selections = options.selections
    const now = options.now ?? Date.now
    this.#paces = new NumberPaces(options.store, now)
    this.#parts = { ...options, now, bucketOf: number => this.#paces.bucketOf(number) }
    this.now = now
    this.reviews = new ReviewJobs(now)
    const { store, console: people, commands, optOutsOf, index } = options
    this.#notices = new CampaignNotices({
      ...{ console: people, commands, optOutsOf, now },
      async countsOf(run) {
        await index.reached(await store.head())
        return index.queries.counts({ campaign: '', run: index.queries.run(run)?.seq ?? -1 })
      },
    })
    this.#receipts = new Receipts(this.#parts, this.#node)
  }

  /** Reads the log, and resumes interrupted runs. */
  async begin(): Promise<void> {
    const { store, console: people, read, failed } = this.#options
    const runs = this.index.follow(store, { name: 'campaign runs', prefixes: RUN_PREFIXES, failed })
    this.#following = follow(people, {
      name: 'campaigns',
      from: async () => {
        await runs
        const head = await people.head()
        await read.reached(head, CAUGHT_UP_MS)
        return head
      },
      filter: { streamPrefixes: ['campaign-'] },
      event: event => this.#said(event),
      failed,
    })
    await this.#following.caughtUp
    // Of all nodes: a number has one pace, wherever its conversations run.
    this.#conversations = follow(store, {
      name: 'messages and opt-outs',
      from: () => store.head(),
      filter: {
        streamPrefixes: [DELIVERY_PREFIX, SUPPRESSION_PREFIX],
        types: ['DeliverySent', 'DeliveryDelayed', 'ContactSuppressed'],
      },
      event: event => this.#heard(event),
      failed,
    })
    const every = (ms: number, work: () => Promise<void>) =>
      this.#timers.push(setInterval(() => void work().catch(failed), ms).unref())
    every(SWEEP_MS, () => this.sweep())
    every(RENEW_MS, () => this.#renew())
    every(CLOCK_MS, () => fireSchedules(this.#options, this.#parts.now()))
    await this.sweep()
  }

  /** Starts a driver for every open run that has none on this node. */
  async sweep(): Promise<void> {
    for (const status of OPEN)
      for (const { id } of await allRows(this.#options.read, SYSTEM_SCOPE, 'campaign', { run_status: status })) {
        await this.#look(id, status)
        if (status === 'waiting') await this.#notices.look(id)
      }
  }

  /** Rate that a run begins with now from a number, messages per second. */
  startRate(number: string): Promise<number> {
    return this.#paces.startRate(number)
  }

  /** Messages of conversations that a number sends, per second. */
  otherRate(number: string): number {
    return this.#paces.otherRate(number)
  }

  /** Receipts and answers of campaign messages. */
  get receipts(): Receipts {
    return this.#receipts
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.reviews.close()
    for (const timer of this.#timers) clearInterval(timer)
    for (const { driver } of this.#driven.values()) driver.stop()
    const late = new Promise(resolve => setTimeout(resolve, STOP_MS).unref())
    await Promise.race([Promise.all([...this.#driven.values()].map(({ ended }) => ended)), late])
    await this.#receipts.close()
    // The follower of commands waits for the index to catch up, which it does not while the store is away.
    await Promise.all([this.index.close(), this.#following?.stop(), this.#conversations?.stop()])
  }

  #said(event: StoredEvent): void {
    const id = event.stream.slice(event.stream.indexOf('-') + 1)
    void this.#notices.hear(id, event).catch(this.#options.failed)
    const driven = this.#driven.get(id)
    if (driven !== undefined) driven.driver.wake()
    else void this.#look(id).catch(this.#options.failed)
  }

  /** Drives a campaign's run, if it has one and no other node sends from its number. */
  async #look(id: string, known?: string): Promise<void> {
    if (this.#isClosed || this.#driven.has(id)) return
    const fields = await this.#options.commands.openFields('campaign', id)
    const status = fieldText(fields ?? {}, 'run_status')
    const run = fieldText(fields ?? {}, 'run')
    if (fields === undefined || run === '' || !OPEN.some(open => open === status)) return
    // Only the sweep handles a paused run: it ends the run at its expiry.
    if (status === 'paused' && (known === undefined || !this.#isExpired(run))) return
    const number = (await this.#options.senders.open(sourceOf(fields)))?.number ?? ''
    const lease = this.#leaseOf(number)
    if (lease !== undefined && !(await lease.hold(this.#parts.now()))) return
    // A number passes to another node with its next campaign too.
    if (lease?.isTakenOver && status !== 'planned') this.#options.tookOver?.()
    await this.#paces.startRate(number)
    if (this.#isClosed || this.#driven.has(id)) return
    const driver = new RunDriver(this.#parts, id, run, this.#node)
    const ended = driver.drive().finally(async () => {
      await this.#paces.keep(number).catch(this.#options.failed)
      this.#driven.delete(id)
      // Handles commands that arrived while the driver was ending.
      if (!this.#isClosed && driver.isWoken) void this.#look(id).catch(this.#options.failed)
    })
    this.#driven.set(id, { driver, ended, number, lease })
  }

  /** Messages of conversations take tokens of their number before campaigns do, and their throttle slows campaigns. */
  async #heard({ type, data }: StoredEvent): Promise<void> {
    if (type === 'ContactSuppressed') {
      if (typeof data.campaign === 'string') await this.#notices.optedOut(data.campaign)
      return
    }
    const isSent = type === 'DeliverySent'
    if (!isSent && !isThrottle(String(data.code ?? ''))) return
    const number = await this.#numberOf(String(data.channel))
    if (isSent) this.#paces.spend(number)
    else this.#paces.slow(number)
  }

  async #numberOf(channel: string): Promise<string> {
    const now = this.#parts.now()
    const known = this.#numbers.get(channel)
    if (known !== undefined && now - known.at < NUMBER_MS) return known.number
    const number = (await this.#options.senders.open({ metaaccount: '', channel }))?.number ?? ''
    this.#numbers.set(channel, { number, at: now })
    return number
  }

  #isExpired(run: string): boolean {
    const expires = this.index.queries.run(run)?.plan.expires
    return expires !== undefined && Date.parse(expires) <= this.#parts.now()
  }

  /** Renews the leases of the runs driven here, stores their pace, and stops a run whose number another node took. */
  async #renew(): Promise<void> {
    for (const { driver, number, lease } of this.#driven.values()) {
      if (lease !== undefined && !(await lease.hold(this.#parts.now()))) driver.stop()
      await this.#paces.keep(number)
    }
  }

  #leaseOf(number: string): NumberLease | undefined {
    if (!this.#options.isShared) return undefined
    const pace = {
      rate: () => this.#paces.rate(number),
      resume: (rate: number) => this.#paces.resume(number, rate),
    }
    const lease = this.#leases.get(number) ?? new NumberLease(this.#options.store, number, this.#node, pace)
    this.#leases.set(number, lease)
    return lease
  }
}

/** Level of an account, or of the bot of a channel. */
const levelOfSource = async (read: RuntimeParts['read'], { metaaccount, channel }: SenderSource) => {
  if (channel === '') return (await read.detail(SYSTEM_SCOPE, 'metaaccount', metaaccount))?.hierarchylevel ?? null
  const bot = (await read.detail(SYSTEM_SCOPE, 'channel', channel))?.bot
  return (bot === undefined ? undefined : (await read.detail(SYSTEM_SCOPE, 'bot', bot))?.hierarchylevel) ?? null
}

const openCampaigns = async (options: CampaignOptions): Promise<Campaigns> => {
  const campaigns = new Campaigns(options)
  await campaigns.begin()
  return campaigns
}

/** Campaigns. Opened at the start if there are some, else when the first one starts. */
export interface SentCampaigns {
  /** Opens the log unless it is open. */
  begun(): Promise<Campaigns>
  /** Undefined until the first send. */
  opened(): Promise<Campaigns | undefined>
  close(): Promise<void>
}

/** Opens with the first campaign, which may have a schedule. */
const watchFirst = ({ store, read, log }: RuntimeParts, open: () => void): Follower =>
  follow(store, {
    name: 'first campaign',
    from: async () => {
      const head = await store.head()
      const { total } = await read.list(SYSTEM_SCOPE, 'campaign', { page: 1, size: 1, filter: {} })
      if (total > 0) open()
      return head
    },
    filter: { streamPrefixes: ['campaign-'], types: ['CampaignCreated', 'CampaignRestored'] },
    event: open,
    failed: error => log.error(error),
  })

/** Registers the campaigns' followers of the inbox: receipts, answers and opt-outs, each retried separately. */
const followInbox = (
  followers: InboxFollowers,
  optOuts: OptOuts,
  parts: RuntimeParts,
  opened: () => Promise<Campaigns | undefined>,
): void => {
  const { read, commands, log } = parts
  const botOf = (channel: EventRoute['channel']) =>
    channel === undefined ? undefined : read.detail(SYSTEM_SCOPE, 'bot', channel.bot)
  const accountLevel = async (account: string | undefined) =>
    account === undefined ? undefined : (await read.detail(SYSTEM_SCOPE, 'metaaccount', account))?.hierarchylevel
  const graph = openGraph(parts.call, parts.settings.GRAPH_URL)
  /** The person has just opened the window of 24 hours. */
  const answer = async (metaaccount: string, to: string, text: string) => {
    const account = await openAccount(commands, metaaccount)
    if (account === undefined) return
    const path = `/${fieldText(account.fields, 'phone_number_id')}/messages`
    const body = { messaging_product: 'whatsapp', to: `+${to}`, type: 'text', text: { body: text } }
    await graph.ask(account.credentials, { method: 'POST', path, body, isOnce: true })
  }
  const receipts = async () => (await opened())?.receipts
  followers.add({
    name: 'engagement',
    receipts: async heard => (await (await receipts())?.hearReceipts(heard)) ?? heard.map(() => false),
    async message(heard) {
      const campaigns = await receipts()
      await campaigns?.hearPerson(heard)
      return { isForBot: true, campaign: await campaigns?.answered(heard.event) }
    },
    other: async heard => (await receipts())?.hearPerson(heard),
  })
  // Also before the first campaign: the next one must find the opt-out.
  followers.add(
    optOutFollower({
      optOuts,
      levelOf: async ({ level, channel, account }) =>
        level ?? (await botOf(channel))?.hierarchylevel ?? (await accountLevel(account)) ?? null,
      async isHeardByBot({ channel }) {
        const bot = channel?.isEnabled === true ? await botOf(channel) : undefined
        return bot !== undefined && bot.runningstatus !== 'stopped'
      },
      answer: (...reply) => void answer(...reply).catch(error => log.error(error)),
      now: Date.now,
    }),
  )
}

/** Campaign sending of a gateway; runs are stored in the conversation log (docs/adr/0026). */
export const composeCampaigns = (
  parts: RuntimeParts,
  folder: string,
  others: {
    readonly conversations: Pick<ConversationsWithExchange, 'log' | 'followers' | 'opened' | 'openedExchange'>
    readonly audiences: Audiences
    readonly optOuts: OptOuts
  },
  isShared: boolean,
): SentCampaigns => {
  const { keys, log, commands, read } = parts
  const place = join(folder, 'conversations')
  const file = join(place, 'campaign.sqlite')
  let opening: Promise<Campaigns> | undefined
  const failed = (error: unknown) => log.error(error)
  const open = async () => {
    const [store, audience] = [await others.conversations.log(), await others.audiences.begun()]
    mkdirSync(place, { recursive: true, mode: 0o700 })
    const index = new RunIndex(file)
    const lists = openOptOutLists(read)
    const hmac = (text: string) => shortDigest(value => keys.index.hmac(value), text)
    const segments = new Segments({
      ...{ read, work: parts.work, audience, queries: index.queries, now: Date.now },
      people: openPeopleFacts(read, keys, others.conversations),
    })
    return openCampaigns({
      ...{ segments, selections: openSelections(read, audience, segments) },
      store,
      console: parts.store,
      ...{ index, audience, lists, hmac, optOuts: others.optOuts },
      async optOutsOf(campaign, since) {
        await audience.index.reached(await store.head())
        return audience.index.suppressions.optOutsOf(campaign, since)
      },
      levelOf: source => levelOfSource(read, source),
      senders: parts.senders,
      commands,
      read,
      holidays: openHolidays(parts.work),
      isShared,
      tookOver: () => parts.meters?.tookOver('sender'),
      failed,
    })
  }
  const begun = (): Promise<Campaigns> => {
    opening ??= open().catch(error => {
      opening = undefined
      throw error
    })
    return opening
  }
  const created = watchFirst(parts, () => void begun().catch(failed))
  const opened = async () => (opening === undefined && !existsSync(file) ? undefined : begun())
  followInbox(others.conversations.followers, others.optOuts, parts, opened)
  return {
    begun,
    opened,
    async close() {
      await created.stop()
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}
