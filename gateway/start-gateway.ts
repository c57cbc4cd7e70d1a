import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Commands, createCommandHandler } from '#commands/command-handler.ts'
import { openLogIntegrity } from '#commands/integrity/log-integrity.ts'
import { bootstrap } from '#commands/people/bootstrap.ts'
import { sweepOrigins } from '#commands/people/origin-log.ts'
import { sweepRequests } from '#commands/pipeline/idempotency-key.ts'
import { resumeAll, watchProcesses } from '#commands/process/processes.ts'
import type { EventStore } from '#commands/store/port.ts'
import { NO_TRACER, type Tracer } from '#commands/tracer.ts'
import { upcast } from '#commands/upcasters/upcast.ts'
import type { Lookup } from '#domain/lookup.ts'
import { openReadModels } from '#projections/open-read-models.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import { NodeList, Questions } from '#realtime/cluster/node-requests.ts'
import type { Rooms } from '#realtime/port.ts'
import { openRooms } from '#realtime/rooms.ts'
import type { DeskLink } from '#runtime/agent/desk/desk-port.ts'
import { followDeskReadiness } from '#runtime/agent/desk/desk-readiness.ts'
import { Alerts } from '#runtime/alert/alerts.ts'
import { ApiTokenWatch } from '#runtime/api-token-watch.ts'
import { openAuditRecorder } from '#runtime/audit-recorder.ts'
import { composeAudience } from '#runtime/campaign/audience/compose-audience.ts'
import { composeOptOuts } from '#runtime/campaign/optout/opt-outs.ts'
import { composeCampaigns } from '#runtime/campaign/run/compose-campaigns.ts'
import { HealthNotices } from '#runtime/channel/exchange/channel-health.ts'
import { TokenWatch } from '#runtime/channel/exchange/token-watch.ts'
import { SimulatedNumbers } from '#runtime/channel/whatsapp-simulated/simulated-numbers.ts'
import {
  type ConversationsWithExchange,
  composeConversations,
  type LazyConversations,
} from '#runtime/conversation/compose-conversations.ts'
import type { SettingsSource } from '#runtime/conversation/effect/turn-settings.ts'
import { createFileSweep } from '#runtime/conversation/privacy/retention.ts'
import { PublicEvents } from '#runtime/event/public-events.ts'
import { openPool } from '#runtime/isolation/pool.ts'
import { openChecks, openVersionWork } from '#runtime/isolation/pooled-work.ts'
import { openMails } from '#runtime/mail/mails.ts'
import { MetricWatch } from '#runtime/metrics/metric-watch.ts'
import { openRunningNlu, openRuntime, openServices } from '#runtime/open-runtime.ts'
import { createCall, createPublicHostCheck } from '#runtime/outbound/call.ts'
import { createSocketCall } from '#runtime/outbound/socket.ts'
import { NODE_NAME } from '#runtime/parts.ts'
import { openSample } from '#runtime/sample/open-sample.ts'
import { openSampleService } from '#runtime/sample/service/open-service.ts'
import { openTestRunner } from '#runtime/simulation/kept-test/open-test-runner.ts'
import { KeptBytes, keepWithin } from '#runtime/storage/kept-bytes.ts'
import { openStorage } from '#runtime/storage/open-storage.ts'
import { Webhooks } from '#runtime/webhook/webhooks.ts'
import { type Settings, WrongSetting } from '#schemas/settings.ts'
import { openAuthentication } from './auth/open-authentication.ts'
import { TokenUses } from './auth/token-use.ts'
import { openDeskSockets } from './desk/desk-socket.ts'
import { openRoomAuthorizer, Sessions, watchAccess } from './http/guard.ts'
import { RateLimits } from './http/rate-limit.ts'
import { buildServer } from './http/server.ts'
import { metersOf, openMetrics, registerGauges, roomFigures } from './metrics.ts'
import { openHints, openNodeKeys, openStore } from './open-store.ts'
import type { Authentication, Parts } from './port.ts'
import { measuredStore, Readiness, Writability } from './readiness.ts'
import { addFlowUpgrade } from './realtime/flow-upgrade.ts'
import { openNotifier } from './realtime/notifier.ts'
import { openFlows } from './server-parts.ts'
import { startSweep } from './sweep.ts'

export interface Gateway {
  /** The console's address. */
  readonly url: string
  /** Given when this start made the first user without PARLEY_ADMIN_PASSWORD. */
  readonly adminPassword?: string
  /** Refuses writes, stores pending data, and releases the folder. */
  close(): Promise<void>
}

/** Bounds that are no settings: tests of a gateway lower them. */
export interface Limits {
  /** Longest run of conversation tests, ms. */
  readonly testMs?: number
  /** Interval of looks at the health of channels, ms. */
  readonly channelLookMs?: number
  /** Interval of counts that a page beside the desk gets, ms. */
  readonly deskCountsMs?: number
  /** Interval of looks at mails that are due, and the time after which an unread notification is mailed, ms. */
  readonly mail?: { readonly tickMs?: number; readonly unreadMs?: number }
}

/** Time for load balancers to notice the shutdown, ms. */
const GRACE_MS = 250
/** Longest wait for the read model to catch up before a room join is refused, ms. */
const SETTLE_MS = 2_000

/**
 * Composes one gateway and lets it listen.
 * @throws with one line to print when it can not start
 */
export const startGateway = async (
  settings: Settings,
  log: FastifyBaseLogger,
  limits: Limits = {},
): Promise<Gateway> => {
  const folder = resolve(settings.PARLEY_DATA)
  const closing: (() => Promise<void> | void)[] = []
  try {
    return await compose({ settings, log, limits }, folder, closing)
  } catch (error) {
    await closeAll(closing)
    throw error
  }
}

/** Sessions that another node started a moment ago end with the others. */
const settledLookup = (lookup: Lookup, settled: () => Promise<void>): Lookup => ({
  ...lookup,
  sessionsOf: async user => {
    await settled()
    return lookup.sessionsOf(user)
  },
  sessionsAt: async session => {
    await settled()
    return lookup.sessionsAt(session)
  },
})

/** Waits for what other nodes wrote before, where there are others. */
const settledOf = (isShared: boolean, store: EventStore, read: ReadModels) => async () => {
  if (isShared) await read.reached(await store.head(), SETTLE_MS)
}

async function closeAll(closing: readonly (() => Promise<void> | void)[]): Promise<void> {
  for (const close of [...closing].reverse()) await close()
}

/** Calls to the outside, and the simulated numbers, which answer some of them. */
const openCalls = (
  { ALLOW_PRIVATE_ADDRESSES: allowPrivate, PARLEY_SAMPLE: hasSample, SIMULATED_NUMBERS }: Settings,
  tracer: Tracer,
) => {
  const simulated = new SimulatedNumbers({ isOn: SIMULATED_NUMBERS })
  const sample = hasSample ? openSampleService() : undefined
  const call = createCall({ allowPrivate, tracer, inside: request => simulated.answer(request) ?? sample?.(request) })
  return { simulated, call, openSocket: createSocketCall({ allowPrivate }) }
}

/** Starts the simulated numbers: their webhooks reach the gateway's own door without the network. */
const connectSimulated = (
  { simulated, keys, commands, read, settings, log }: Parts,
  app: FastifyInstance,
  conversations: Pick<ConversationsWithExchange, 'log'>,
): void =>
  simulated.connect({
    ...{ keys, commands, read, isShared: settings.EVENTSTORE_URL !== undefined },
    log: () => conversations.log(),
    post: async (url, headers, payload) => (await app.inject({ method: 'POST', url, headers, payload })).statusCode,
    failed: error => log.error(error),
  })

const openWork = ({ WORK_PROCESSES }: Settings, closing: (() => Promise<void> | void)[]) => {
  const work = openPool(WORK_PROCESSES)
  closing.push(() => work.close())
  return work
}

const openCommands = (
  {
    store,
    keys,
    lookup,
    read,
    storage,
    settings,
    work,
    tracer,
  }: Pick<Parts, 'store' | 'keys' | 'lookup' | 'read' | 'storage' | 'settings' | 'work'> & { readonly tracer: Tracer },
  closing: (() => Promise<void> | void)[],
  running: () => { readonly nlu: SettingsSource['nlu']; readonly deskLink: Pick<DeskLink, 'desk' | 'nodesWithout'> },
  { testMs }: Limits,
): Pick<Parts, 'commands' | 'tests'> => {
  const checks = openChecks(work)
  const tests = openTestRunner({
    given: checks.given,
    flows: () => commands.flows,
    read,
    nlu: { responses: (...of) => running().nlu.responses(...of) },
    ...(testMs !== undefined && { maxMs: testMs }),
  })
  closing.push(() => tests.close())
  const commands: Commands = createCommandHandler({
    store,
    ...{ keys, lookup, tracer },
    files: storage,
    tests,
    checks,
    versions: openVersionWork(work),
    isOpenHost: createPublicHostCheck({ allowPrivate: settings.ALLOW_PRIVATE_ADDRESSES }),
    openDeskChats: queue => running().deskLink.desk?.openIn(queue) ?? 0,
    nodesWithoutDesk: () => running().deskLink.nodesWithout(),
    keyframe: async (flow, atMost) => {
      const frame = await read.keyframe(flow, atMost)
      return frame && { ...frame, bindings: [...(await read.bindings(flow))] }
    },
  })
  return { commands, tests }
}

/** The conversations of bots, and the services that they run with. */
const openBots = (
  parts: Parts,
  folder: string,
  hints: Hints,
  writability: Writability,
  { kept, limits, people }: { readonly kept: KeptBytes; readonly limits: Limits } & Pick<Authentication, 'people'>,
) => {
  parts.readiness.watch(parts.store)
  const isShared = parts.settings.EVENTSTORE_URL !== undefined
  const conversations = composeConversations(parts, folder, hints, isShared, () => optOuts)
  const { storage, log } = parts
  kept.connect({ storage, hints, botOf: botOfConversation(parts, conversations) }).catch(error => log.error(error))
  const audiences = composeAudience(parts, folder, conversations, isShared)
  const { optOuts, close } = composeOptOuts(parts, {
    audience: () => audiences.begun(),
    runs: async () => (await campaigns.opened())?.index.queries,
  })
  const campaigns = composeCampaigns(parts, folder, { conversations, audiences, optOuts }, isShared)
  const refusesWrites = () => writability.reason()
  const services = openServices({ parts, hints, conversations, refusesWrites, isShared })
  const running = openRunningNlu(parts, hints, services)
  const notices = new HealthNotices({
    ...{ read: parts.read, store: parts.store, commands: parts.commands, watch: parts.channelWatch },
    exchange: () => conversations.openedExchange(),
    failed: error => parts.log.error(error),
    ...(limits.channelLookMs !== undefined && { lookMs: limits.channelLookMs }),
  })
  const tokens = new TokenWatch({ ...parts, watch: parts.channelWatch, failed: error => parts.log.error(error) })
  const apiTokens = new ApiTokenWatch({ ...parts, failed: error => parts.log.error(error) })
  const alerts = new Alerts({
    ...parts,
    ...{ file: join(folder, 'alerts.sqlite'), node: NODE_NAME, failed: error => parts.log.error(error) },
  })
  alerts.begin().catch(error => parts.log.error(error))
  const mails = openMails({ ...parts, people }, folder, limits.mail, outcome => parts.metrics.mails.inc({ outcome }))
  const metricWatch = new MetricWatch({
    ...{ store: parts.store, read: parts.read, failed: error => parts.log.error(error) },
    metrics: async () => (await conversations.records())?.metrics,
  })
  const events = new PublicEvents({
    ...{ store: parts.store, read: parts.read, lookup: parts.lookup, hmac: parts.keys.index.hmac, keys: parts.keys },
    conversationLog: async () => (isShared ? undefined : conversations.openedLog()),
  })
  const webhooks = new Webhooks({
    ...{ ...parts, events, file: join(folder, 'webhooks.sqlite') },
    failed: error => parts.log.error(error),
  })
  const behind = 'Events that the webhook of this node that is furthest behind has not got, about'
  parts.metrics.observe('parley_webhook_behind', behind, () => webhooks.behind())
  return {
    conversations,
    events,
    webhooks,
    alerts,
    mails,
    audiences,
    campaigns,
    services,
    running,
    async close() {
      notices.close()
      tokens.close()
      apiTokens.close()
      await metricWatch.close()
      await webhooks.close()
      await alerts.close()
      await mails?.close()
      running.close()
      close()
      await services.close()
      await campaigns.close()
      await audiences.close()
      await conversations.close()
    },
  }
}

/** Removes expired data: answers of idempotency keys, unused uploads, conversations. */
const sweepsOf = (
  { store, storage, log }: Parts,
  { conversations, audiences, alerts, mails }: ReturnType<typeof openBots>,
  kept: KeptBytes,
) => [
  createFileSweep(storage, id => conversations.mayHoldFiles(id)),
  () => sweepRequests(store, new Date()),
  () => sweepOrigins(store, new Date()),
  () => storage.sweep(),
  () => kept.recount(),
  () => conversations.sweep(),
  async () => {
    const { differences = 0 } = (await conversations.recount(store, NODE_NAME)) ?? {}
    if (differences > 0) log.error({ differences }, 'figures of conversations differ from the log')
  },
  () => audiences.sweep(),
  () => alerts.sweep(),
  async () => mails?.sweep(),
]

/** Loaded only where traces are sent. */
const openTraces = async (settings: Settings, closing: (() => Promise<void> | void)[]): Promise<Tracer> => {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return NO_TRACER
  const { openTracer } = await import('./open-tracer.ts')
  const tracer = openTracer(settings)
  closing.push(() => tracer.close())
  return tracer
}

/** The storage of files, with the limit of each bot. */
const openFiles = async (
  settings: Settings,
  folder: string,
  metrics: Parts['metrics'],
  closing: (() => Promise<void> | void)[],
) => {
  const refused = () => metrics.limited.inc({ limit: 'keptbytes', scope: 'bot' })
  const kept = new KeptBytes({ most: settings.LIMIT_KEPT_MB_BOT * 1_000_000, refused })
  metrics.observe('parley_chat_file_bytes', 'Bytes of files of chats that bots keep', () => kept.total)
  closing.push(() => kept.close())
  return { kept, storage: keepWithin(await openStorage(settings, folder), kept) }
}

/** The bot of a conversation. The index may not have one that began a moment ago; its channel names the bot as well. */
const botOfConversation =
  ({ read }: Pick<Parts, 'read'>, conversations: Pick<LazyConversations, 'records' | 'owner'>) =>
  async (id: string): Promise<string | undefined> => {
    const known = (await conversations.records())?.get(id)?.bot
    if (known !== undefined) return known
    const { channel } = (await conversations.owner(id)) ?? {}
    return channel === undefined ? undefined : (await read.detail(SYSTEM_SCOPE, 'channel', channel))?.bot
  }

/** Bases of addresses, without a slash at their end. Without PUBLIC_URL known once listening. */
const openUrls = ({ PUBLIC_URL, BOT_ROUTER_URL }: Settings) => {
  const urls = {
    listening: '',
    console: () => PUBLIC_URL ?? urls.listening,
    baseUrl: () => BOT_ROUTER_URL ?? urls.console(),
  }
  return urls
}

/** A node of a shared store takes writes until a proxy has seen that it leaves. */
const leave = async ({ readiness, settings }: Parts, rooms: Rooms): Promise<void> => {
  readiness.leave()
  if (settings.EVENTSTORE_URL !== undefined) await setTimeout(settings.DRAIN_SECONDS * 1000)
  readiness.drain()
  await Promise.all([rooms.drain(), setTimeout(GRACE_MS)])
}

/** Drops cached bots: another node may have moved them. */
const forgetMovedBots = (read: Parts['read'], commands: Parts['commands']): (() => void) =>
  read.onTouched(['bot'], touched => {
    for (const { entity, id } of touched) commands.forget(entity, id)
  })

/** The ways to the other nodes: hints, questions, and limits that are counted together. */
const openNodes = (
  { hints, read }: { readonly hints: Hints; readonly read: ReadModels },
  closing: (() => Promise<void> | void)[],
  failed: (error: unknown) => void,
) => {
  const nodes = new NodeList({ hints, name: NODE_NAME })
  const questions = new Questions({ hints, nodes, failed })
  const rates = new RateLimits({ hints })
  const tokenUses = new TokenUses({ read, hints })
  closing.push(async () => {
    tokenUses.close()
    rates.close()
    questions.close()
    nodes.close()
    await hints.close()
  })
  return { hints, questions, rates, tokenUses }
}

async function compose(
  { settings, log, limits }: { settings: Settings; log: FastifyBaseLogger; limits: Limits },
  folder: string,
  closing: (() => Promise<void> | void)[],
): Promise<Gateway> {
  const isShared = settings.EVENTSTORE_URL !== undefined
  const metrics = openMetrics()
  const tracer = await openTraces(settings, closing)
  const tell = (line: string) => log.warn(line)
  const opened = await openStore({ settings, folder, log: tell, metrics })
  closing.push(() => opened.close())
  const writability = new Writability(opened.store)
  closing.push(() => writability.stop())
  const store = measuredStore(opened.store, metrics, writability)
  const { kept, storage } = await openFiles(settings, folder, metrics, closing)
  const keys = await openNodeKeys({ settings, folder, store })
  closing.push(() => keys.close())
  const read = await openReadModels({
    store,
    folder: join(folder, 'projections'),
    decryptPersonal: keys.personal.decrypt,
    allowLevel1DefaultAccess: settings.ALLOW_LEVEL1_DEFAULT_ACCESS,
    upcast,
    log: tell,
  })
  closing.push(() => read.close())
  const settled = settledOf(isShared, store, read)
  const lookup = settledLookup(read.lookup, settled)
  const stored = { store, keys, lookup, read, storage, settings, work: openWork(settings, closing), tracer }
  const { commands, ...runner } = openCommands(stored, closing, () => runtime, limits)
  const failed = (error: unknown) => log.error(error)
  void resumeAll(() => commands.resumeProcesses(), failed)
  if (isShared) closing.push(watchProcesses({ store, resume: root => commands.resumeProcesses(root), failed }))
  const flows = openFlows(commands.flows)
  const hints = await openHints({ settings, log, store, keys, metrics })
  const nodes = openNodes({ hints, read }, closing, failed)
  const rooms = openRooms({
    log: flows.log,
    admit: openRoomAuthorizer(read),
    settled,
    hints,
    on: roomFigures(metrics, log),
  })
  const readiness = new Readiness(read, rooms, writability)
  const urls = openUrls(settings)
  const trust = openLogIntegrity({ settings, store, keys, log })
  const inside = { storage, folder, ...nodes, isShared, failed, work: stored.work }
  const own = { ...urls, store, read, commands, ...inside, ...openCalls(settings, tracer) }
  const logs = { keys, flows: flows.log, conversationLog: () => bots.conversations.log() }
  const { close: closeRuntime, ...runtime } = openRuntime({ ...own, ...logs, graphUrl: settings.GRAPH_URL })
  if (isShared) closing.push(forgetMovedBots(read, commands))
  const stopReadiness = followDeskReadiness({ store, read, commands, failed })
  closing.push(stopReadiness, () => trust.close(), closeRuntime)
  const parts: Parts = {
    settings,
    log,
    store,
    keys,
    commands,
    read,
    lookup,
    readiness,
    record: openAuditRecorder(store),
    trust,
    storage,
    ...{ tracer, metrics, meters: metersOf(metrics), call: own.call, work: stored.work, simulated: own.simulated },
    ...{ ...runner, ...runtime, ...nodes },
    publicUrl: urls.console,
  }
  const sample = await openSample(store, settings.PARLEY_SAMPLE)
  const first = await bootstrap({ store, commands, password: settings.PARLEY_ADMIN_PASSWORD })
  if (first.position !== undefined) await read.reached(first.position)
  const authentication = await openAuthentication(parts)
  const sessions = new Sessions(read, authentication)
  const bots = openBots(parts, folder, hints, writability, { kept, limits, ...authentication })
  closing.push(() => bots.close(), startSweep(sweepsOf(parts, bots, kept), failed))
  const app = await buildServer({ parts, authentication, sessions, rooms, flows, sample, ...bots })
  registerGauges(parts, rooms, bots.conversations)
  connectSimulated(parts, app, bots.conversations)
  closing.push(() => sessions.close())
  const desk = openDeskSockets({ parts, sessions, conversations: bots.conversations, countsMs: limits.deskCountsMs })
  addFlowUpgrade(app.server, parts, authentication, rooms, { chat: app.openChat, desk })
  const notifier = openNotifier(app.server, parts, authentication, rooms)
  const stopWatching = watchAccess(read, rooms, notifier.recheck)
  urls.listening = await listen(app, settings)
  closing.push(async () => {
    await leave(parts, rooms)
    stopWatching()
    desk.close()
    await notifier.close()
    await app.close()
  })
  sample.begin({ ...parts, audiences: bots.audiences, conversations: bots.conversations })
  closing.push(() => sample.stop().finally(() => own.simulated.close()))
  return {
    url: `${parts.publicUrl()}/botadmin/`,
    ...(first.password === undefined ? {} : { adminPassword: first.password }),
    close: () => closeAll(closing),
  }
}

const NOT_OURS = new Set(['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN'])

async function listen(app: FastifyInstance, { HOST, PORT }: Settings): Promise<string> {
  await app.listen({ host: HOST, port: PORT }).catch(error => {
    throw NOT_OURS.has((error as NodeJS.ErrnoException).code ?? '')
      ? new WrongSetting('HOST must be a name or address of this machine')
      : error
  })
  const { port } = app.server.address() as AddressInfo
  return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`
}
