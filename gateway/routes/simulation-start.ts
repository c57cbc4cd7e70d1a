import { randomUUID } from 'node:crypto'
import type { Release } from '#domain/conversation/release.ts'
import { type ConversationState, type Frame, newConversation } from '#domain/conversation/state.ts'
import type { TestGiven } from '#domain/conversation-test/test-schema.ts'
import type { RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { openCompiledFlows } from '#runtime/conversation/effect/compiled-flows.ts'
import { type Outside, openExternalServices } from '#runtime/conversation/effect/perform-effect.ts'
import { turnSettings } from '#runtime/conversation/effect/turn-settings.ts'
import { understandWithMlSystem } from '#runtime/ml/open-ml.ts'
import { reasonsForBot } from '#runtime/nlu/understand-for-bot.ts'
import type { Releases } from '#runtime/port.ts'
import { LazyRelease, type PartSource } from '#runtime/simulation/lazy-release.ts'
import { openLinkedBotSimulation } from '#runtime/simulation/linked-bot.ts'
import { type ActiveSimulation, advance } from '#runtime/simulation/open-simulations.ts'
import { Simulation } from '#runtime/simulation/simulation.ts'
import { stopOf } from '#runtime/simulation/simulation-actions.ts'
import type { Json } from '#schemas/event.ts'
import { botLanguage } from '#schemas/language.ts'
import type { RouteRequest } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import type { Flows } from '../server-parts.ts'

export type SimulationRequest = RouteRequest<'POST /bot/{id}/simulation'>['body']

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

/** Services that carry out effects of a bot that is tried. */
const openTriedOutside = (parts: Parts) => {
  const outside = openExternalServices(parts)
  const askBot = openLinkedBotSimulation({ parts, outside })
  return (bot: RowOf<'bot'>, { effects }: SimulationRequest, now: () => number): Outside => ({
    ...outside.of(bot),
    askBot: askBot(bot, { canCall: effects.rest === 'real', now }),
  })
}

interface SimulationOwner extends Pick<ActiveSimulation, 'id' | 'user' | 'samples'> {
  /** The person of the conversation, by default the user. */
  readonly person?: string
  /** Calls that change data are made without asking. */
  readonly mayChange?: boolean
}

/** Starts simulated conversations, and lets them follow the flows as they are drawn now. */
export const openSimulationStart = (parts: Parts, flows: Flows) => {
  const { read } = parts
  const compiled = openCompiledFlows(flows.log, read)
  const outsideOf = openTriedOutside(parts)
  return {
    async begin(
      bot: RowOf<'bot'>,
      asked: SimulationRequest,
      { person, ...given }: SimulationOwner,
    ): Promise<ActiveSimulation> {
      const locale = asked.locale ?? botLanguage(bot)
      const release = new LazyRelease(await partsOf(bot.id, asked, compiled, parts.releases))
      if (asked.dialog !== undefined) await release.load({ kind: 'dialog', id: asked.dialog })
      const settings = await turnSettings(parts, bot, locale)
      const now = asked.now === undefined ? Date.now() : Date.parse(asked.now)
      const dialog = asked.dialog === undefined ? undefined : await read.detail(SYSTEM_SCOPE, 'dialog', asked.dialog)
      const frame = firstFrame(release, dialog?.dialogtask, asked)
      const simulation = new Simulation(
        initialState(person ?? given.user, locale, now, asked, frame),
        settings,
        release,
        now,
      )
      const held: ActiveSimulation = {
        ...nothingYet(),
        ...given,
        bot: bot.id,
        source: asked.release === undefined ? asked.source : 'published',
        mode: asked.effects.rest,
        simulation,
        given: givenOf(asked, release, dialog),
        release,
        outside: outsideOf(bot, asked, () => simulation.now),
        ...understandingOf(parts, bot),
      }
      simulation.begin(frame === undefined ? { kind: 'open' } : { kind: 'resume' })
      await advance(held, stopOf(asked), true)
      return held
    },
    /** Present flows and settings apply from the next block on. */
    async refresh(held: ActiveSimulation, bot: RowOf<'bot'>): Promise<void> {
      const { simulation } = held
      if (held.source === 'live') await held.release.refresh()
      simulation.settings = await turnSettings(parts, bot, simulation.state.locale)
    },
  }
}

export type SimulationStart = ReturnType<typeof openSimulationStart>
