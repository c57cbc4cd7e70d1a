import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { releaseNumber } from '#commands/release/make-release.ts'
import type { Release } from '#domain/conversation/release.ts'
import { type ConversationState, type Frame, newConversation } from '#domain/conversation/state.ts'
import type { TestGiven } from '#domain/conversation-test/test-schema.ts'
import { scopeOf } from '#projections/access-model.ts'
import type { RowOf, Scope } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { openCompiledFlows } from '#runtime/conversation/effect/compiled-flows.ts'
import { type Outside, openExternalServices } from '#runtime/conversation/effect/perform-effect.ts'
import { turnSettings } from '#runtime/conversation/effect/turn-settings.ts'
import { understandWithMlSystem } from '#runtime/ml/open-ml.ts'
import { reasonsForBot } from '#runtime/nlu/understand-for-bot.ts'
import type { Releases } from '#runtime/port.ts'
import { LazyRelease, type PartSource } from '#runtime/simulation/lazy-release.ts'
import { openLinkedBotSimulation } from '#runtime/simulation/linked-bot.ts'
import { type ActiveSimulation, advance, Simulations } from '#runtime/simulation/open-simulations.ts'
import { recordedTest } from '#runtime/simulation/recorded-test.ts'
import { SharedSimulations } from '#runtime/simulation/shared-simulations.ts'
import { Simulation } from '#runtime/simulation/simulation.ts'
import { addSimulationActions, stopOf } from '#runtime/simulation/simulation-actions.ts'
import { simulationView } from '#runtime/simulation/simulation-view.ts'
import { simulationBody, simulationTest } from '#schemas/api/simulation.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { handle, type RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import type { Flows } from '../server-parts.ts'
import { sessionOf } from './command.ts'

/** Editors of dialogs simulate them: outside calls may be real. */
const CONFIG = { permission: 'updatedialog', effect: 'calls out' } as const
/** Longest wait for the session of a request that came to another node. */
const SHOWN_MS = 2_000

type SimulationRequest = RouteRequest<'POST /bot/{id}/simulation'>['body']

/** The frame that a simulation begins with: a block, or a dialog's start; undefined for the bot's default task. */
const firstFrame = (
  release: Release,
  task: Json | undefined,
  { dialog, block, locals }: SimulationRequest,
): Frame | undefined => {
  const flow = dialog === undefined ? undefined : release.dialogs.get(dialog)
  if (flow === undefined) return undefined
  return {
    id: 1,
    kind: 'root',
    task: typeof task === 'string' ? task : null,
    dialog: flow.dialog,
    block: block ?? flow.start,
    locals,
    returns: null,
    shared: { sub: [], task: [] },
  }
}

const initialState = (
  user: string,
  locale: string,
  now: number,
  asked: SimulationRequest,
  frame?: Frame,
): ConversationState => ({
  ...newConversation({
    id: randomUUID(),
    started: now,
    channel: { id: asked.channel, type: asked.channel },
    user: { id: user },
    locale,
    userdata: asked.user,
  }),
  variables: asked.variables,
  ...(frame === undefined ? {} : { frames: [frame], pushed: 1 }),
})

/** The same beginning in the words of a test. */
const givenOf = (asked: SimulationRequest, release: Release, dialog: RowOf<'dialog'> | undefined): TestGiven => {
  const { block, channel, variables, user } = asked
  const at = block === undefined || dialog === undefined ? undefined : release.dialogs.get(dialog.id)?.blocks.get(block)
  return {
    ...(dialog === undefined ? {} : { dialog: String(dialog.name ?? dialog.id) }),
    ...(at === undefined ? {} : { block: at.title === '' ? at.id : at.title }),
    channel,
    ...(asked.locale === undefined ? {} : { locale: asked.locale }),
    ...(Object.keys(user).length === 0 ? {} : { userdata: user }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
  }
}

const isDialogOf = async (read: Parts['read'], dialog: string, bot: string): Promise<boolean> => {
  const row = await read.detail(SYSTEM_SCOPE, 'dialog', dialog)
  const task =
    typeof row?.dialogtask === 'string' ? await read.detail(SYSTEM_SCOPE, 'dialogtask', row.dialogtask) : undefined
  return task?.bot === bot
}

/** The part of a request that the bot lacks. */
const missingPart = async (
  { store, read }: Pick<Parts, 'store' | 'read'>,
  bot: string,
  { dialog, release }: SimulationRequest,
): Promise<'dialog' | 'release' | undefined> => {
  if (release !== undefined && (await releaseNumber(store, bot, release)) === undefined) return 'release'
  return dialog !== undefined && !(await isDialogOf(read, dialog, bot)) ? 'dialog' : undefined
}

/** NLU of a bot's simulation. */
const understandingOf = (parts: Parts, bot: RowOf<'bot'>): Pick<ActiveSimulation, 'nluproject' | 'explain'> => ({
  nluproject: typeof bot.nluproject === 'string' && bot.nluproject !== '' ? bot.nluproject : null,
  explain: understandWithMlSystem(parts, bot) === undefined ? reasonsForBot(parts, bot) : async () => undefined,
})

const nothingYet = () => ({
  calls: [],
  mayChange: false,
  used: Date.now(),
  shown: Date.now(),
  touched: false,
  busy: false,
})

/** Source of a simulation's dialogs and handlers: a release, or the present flows. */
const partsOf = async (
  bot: string,
  { release, source }: SimulationRequest,
  compiled: ReturnType<typeof openCompiledFlows>,
  releases: Releases,
): Promise<PartSource> => {
  if (release === undefined) return compiled.partsOf(bot, source)
  const { dialogs, handlers } = await releases.compiled(bot, release)
  return { dialog: async id => dialogs.get(id), handler: async id => handlers.get(id) }
}

/** Input of an action on a simulation of this node. */
interface ActInput {
  readonly id: string
  readonly user: string
  readonly scope: Scope
  readonly body: unknown
}

export type Acts = Map<string, (doing: ActInput) => Promise<Result<object>>>

/** The transcript so far as a test file (RUNTIME 82). */
const keepTest =
  (simulations: Simulations) =>
  async ({ id, user, body }: ActInput): Promise<Result<object>> => {
    const { name } = simulationTest.parse(body)
    const held = simulations.get(id, user, Date.now())
    if (held === undefined) return refused('entity.notfound')
    if (held.simulation.pending !== undefined) return refused('simulation.turn')
    return accepted({ file: await recordedTest(held, name) })
  }

/** Everything that is done with a simulation that runs; only one request at a time moves it on. */
const addMoves = (parts: Parts, simulations: Simulations, acts: Acts): void => {
  const { read } = parts
  /** Present flows and settings apply from the next block on. */
  const refresh = async (held: ActiveSimulation, bot: RowOf<'bot'>): Promise<void> => {
    const { simulation } = held
    if (held.source === 'live') await held.release.refresh()
    simulation.settings = await turnSettings(parts, bot, simulation.state.locale)
  }

  const add = <B>(
    name: string,
    schema: z.ZodType<B>,
    act: (held: ActiveSimulation, body: B) => Promise<Refusal | undefined>,
  ) => {
    acts.set(name, async ({ id, user, scope, body }) => {
      const held = simulations.get(id, user, Date.now())
      const bot = held === undefined ? undefined : await read.detail(scope, 'bot', held.bot)
      if (held === undefined || bot === undefined) return refused('entity.notfound')
      if (held.busy) return refused('simulation.turn')
      held.busy = true
      held.touched = true
      try {
        await refresh(held, bot)
        const refusal = await act(held, schema.parse(body))
        return refusal === undefined ? accepted(await simulationView(held)) : { ok: false, refusal }
      } finally {
        held.shown = Date.now()
        held.busy = false
      }
    })
  }

  addSimulationActions(add)
}

/** Things of this node and the others that a person began. `acts` are done with those of this node. */
export const shareActs = (
  { read, store, questions }: Parts,
  acts: Acts,
  about: { readonly permission: string; readonly subject?: string },
): SharedSimulations => {
  const accessOf = async (session: string) => {
    const access = read.access(session)
    if (access !== undefined) return access
    // It may have begun on another node a moment ago.
    await read.reached(await store.head(), SHOWN_MS)
    return read.access(session)
  }
  return new SharedSimulations({
    ...(about.subject === undefined ? {} : { about: about.subject }),
    questions,
    async perform({ act, id, session, body }) {
      const access = await accessOf(session)
      if (access?.permissions.has(about.permission) !== true) return refused('entity.notfound')
      const done = await acts.get(act)?.({ id, user: access.user, scope: scopeOf(access), body })
      return (done ?? refused('entity.notfound')) as Result<Json>
    },
  })
}

/** Services that carry out effects of a bot that is tried. */
const openTriedOutside = (parts: Parts) => {
  const outside = openExternalServices(parts)
  const askBot = openLinkedBotSimulation({ parts, outside })
  return (bot: RowOf<'bot'>, { effects }: SimulationRequest, now: () => number): Outside => ({
    ...outside.of(bot),
    askBot: askBot(bot, { canCall: effects.rest === 'real', now }),
  })
}

/** Simulated conversations while flows are drawn (RUNTIME 81): nothing is stored. */
export const addSimulation = (app: FastifyInstance, parts: Parts, flows: Flows): void => {
  const { read } = parts
  const compiled = openCompiledFlows(flows.log, read)
  const simulations = new Simulations()
  const outsideOf = openTriedOutside(parts)

  const acts: Acts = new Map()
  const shared = shareActs(parts, acts, CONFIG)

  const begin = async (bot: RowOf<'bot'>, asked: SimulationRequest, user: string): Promise<ActiveSimulation> => {
    const before = asked.replaces === undefined ? undefined : simulations.get(asked.replaces, user, Date.now())
    const locale = asked.locale ?? (typeof bot.defaultlocale === 'string' ? bot.defaultlocale : 'pt')
    const release = new LazyRelease(await partsOf(bot.id, asked, compiled, parts.releases))
    if (asked.dialog !== undefined) await release.load({ kind: 'dialog', id: asked.dialog })
    const settings = await turnSettings(parts, bot, locale)
    const now = asked.now === undefined ? Date.now() : Date.parse(asked.now)
    const dialog = asked.dialog === undefined ? undefined : await read.detail(SYSTEM_SCOPE, 'dialog', asked.dialog)
    const frame = firstFrame(release, dialog?.dialogtask, asked)
    const simulation = new Simulation(initialState(user, locale, now, asked, frame), settings, release, now)
    const held: ActiveSimulation = {
      id: shared.newId(),
      user,
      bot: bot.id,
      source: asked.release === undefined ? asked.source : 'published',
      mode: asked.effects.rest,
      simulation,
      given: givenOf(asked, release, dialog),
      release,
      outside: outsideOf(bot, asked, () => simulation.now),
      ...understandingOf(parts, bot),
      // The replacing simulation keeps the answers of calls.
      samples: before?.bot === bot.id ? before.samples : new Map(),
      ...nothingYet(),
    }
    simulation.begin(frame === undefined ? { kind: 'open' } : { kind: 'resume' })
    await advance(held, stopOf(asked), true)
    return held
  }

  acts.set('begin', async ({ id, user, scope, body }) => {
    const asked = simulationBody.parse(body)
    const bot = await read.detail(scope, 'bot', id)
    if (bot === undefined) return refused('entity.notfound')
    const path = await missingPart(parts, bot.id, asked)
    if (path !== undefined) return refused('validation.failed', { errors: [{ path, code: 'reference' }] })
    const held = await begin(bot, asked, user)
    if (asked.replaces !== undefined) simulations.remove(asked.replaces, user)
    held.shown = Date.now()
    simulations.add(held, held.shown)
    return accepted(await simulationView(held))
  })
  acts.set('test', keepTest(simulations))
  addMoves(parts, simulations, acts)

  addRoutes(app, shared)
}

/** Actions on a simulation. */
const ACTS = ['test', 'say', 'step', 'run', 'back', 'rerun', 'set', 'clock', 'answer'] as const

function addRoutes(app: FastifyInstance, shared: SharedSimulations): void {
  handle(app, 'POST /bot/{id}/simulation', CONFIG, async (request, reply) => {
    const { body, params } = request
    const { session } = sessionOf(request).access
    const begun = await shared.begin({ act: 'begin', id: params.id, session, body: plain(body) }, body.replaces)
    return begun.ok ? reply.send(begun.value) : refuse(reply, begun.refusal)
  })

  for (const act of ACTS)
    handle(app, `POST /simulation/{id}/${act}`, CONFIG, async (request, reply) => {
      const { session } = sessionOf(request).access
      const done = await shared.act({ act, id: request.params.id, session, body: plain(request.body) })
      return done.ok ? reply.send(done.value) : refuse(reply, done.refusal)
    })
}

/** A body without members that are undefined. */
const plain = (body: unknown): Json => JSON.parse(JSON.stringify(body))
