import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { releaseNumber } from '#commands/release/make-release.ts'
import { scopeOf } from '#projections/access-model.ts'
import type { Scope } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { type ActiveSimulation, SharedSimulations, Simulations } from '#runtime/simulation/open-simulations.ts'
import { recordedTest } from '#runtime/simulation/recorded-test.ts'
import { addSimulationActions } from '#runtime/simulation/simulation-actions.ts'
import { simulationView } from '#runtime/simulation/simulation-view.ts'
import { simulationBody, simulationTest } from '#schemas/api/simulation.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { draftToken } from '../chat/draft-page.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import type { Flows } from '../server-parts.ts'
import { sessionOf } from './command.ts'
import { openSimulationStart, type SimulationRequest, type SimulationStart } from './simulation-start.ts'

/** Editors of dialogs simulate them: outside calls may be real. */
const CONFIG = { permission: 'updatedialog', effect: 'calls out' } as const
/** Longest wait for the session of a request that came to another node. */
const SHOWN_MS = 2_000

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

/** Input of an action on a simulation of this node. */
interface ActInput {
  readonly id: string
  readonly user: string
  readonly scope: Scope
  readonly body: unknown
}

export type Acts = Map<string, (doing: ActInput) => Promise<Result<object>>>

/** The transcript so far as a test file. */
const keepTest =
  (simulations: Simulations) =>
  async ({ id, user, body }: ActInput): Promise<Result<object>> => {
    const { name } = simulationTest.parse(body)
    const held = simulations.get(id, user, Date.now())
    if (held === undefined) return refused('entity.notfound')
    if (held.simulation.pending !== undefined) return refused('simulation.turn')
    return accepted({ file: await recordedTest(held, name) })
  }

interface MoveParts extends Pick<SimulationStart, 'refresh'> {
  readonly read: Parts['read']
}

/** Everything that is done with a simulation that runs; only one request at a time moves it on. */
const addMoves = ({ read, refresh }: MoveParts, simulations: Simulations, acts: Acts): void => {
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
  about: { readonly permission: string; readonly subject: 'simulation' | 'rehearsal' },
): SharedSimulations => {
  const accessOf = async (session: string) => {
    const access = read.access(session)
    if (access !== undefined) return access
    // It may have begun on another node a moment ago.
    await read.reached(await store.head(), SHOWN_MS)
    return read.access(session)
  }
  return new SharedSimulations({
    about: about.subject,
    questions,
    async perform({ act, id, session, body }) {
      const access = await accessOf(session)
      if (access?.permissions.has(about.permission) !== true) return refused('entity.notfound')
      const done = await acts.get(act)?.({ id, user: access.user, scope: scopeOf(access), body })
      return (done ?? refused('entity.notfound')) as Result<Json>
    },
  })
}

/** Simulated conversations while flows are drawn: nothing is stored. */
export const addSimulation = (app: FastifyInstance, parts: Parts, flows: Flows): void => {
  const { read } = parts
  const { begin, refresh } = openSimulationStart(parts, flows)
  const simulations = new Simulations()

  const acts: Acts = new Map()
  const shared = shareActs(parts, acts, { ...CONFIG, subject: 'simulation' })

  acts.set('begin', async ({ id, user, scope, body }) => {
    const asked = simulationBody.parse(body)
    const bot = await read.detail(scope, 'bot', id)
    if (bot === undefined) return refused('entity.notfound')
    const path = await missingPart(parts, bot.id, asked)
    if (path !== undefined) return refused('validation.failed', { errors: [{ path, code: 'reference' }] })
    const before = asked.replaces === undefined ? undefined : simulations.get(asked.replaces, user, Date.now())
    // The replacing simulation keeps the answers of calls.
    const samples = before?.bot === bot.id ? before.samples : new Map()
    const held = await begin(bot, asked, { id: shared.newId(), user, samples })
    if (asked.replaces !== undefined) simulations.remove(asked.replaces, user)
    held.shown = Date.now()
    simulations.add(held, held.shown)
    return accepted(await simulationView(held))
  })
  acts.set('test', keepTest(simulations))
  addMoves({ read, refresh }, simulations, acts)

  addRoutes(app, shared)
  addDraftLink(app, parts)
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

/** The address of a draft, for those who may draw it. */
function addDraftLink(app: FastifyInstance, parts: Parts): void {
  handle(app, 'GET /dialog/{id}/draftlink', { permission: 'updatedialog' }, async (request, reply) => {
    const dialog = await parts.read.detail(sessionOf(request).scope, 'dialog', request.params.id)
    if (dialog === undefined) return refuse(reply, { code: 'entity.notfound' })
    const link = await draftToken(parts, dialog)
    if (link === undefined) return { address: null, until: null }
    return { address: `${parts.publicUrl()}/draft/${link.token}`, until: link.until }
  })
}

/** A body without members that are undefined. */
const plain = (body: unknown): Json => JSON.parse(JSON.stringify(body))
