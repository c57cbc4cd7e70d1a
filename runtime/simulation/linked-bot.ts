import type { AnswerOf, Effect, EffectAnswer, EffectOf } from '#domain/conversation/effect.ts'
import type { TurnInput } from '#domain/conversation/message.ts'
import { runTurn } from '#domain/conversation/run-turn.ts'
import { type ConversationState, newConversation } from '#domain/conversation/state.ts'
import type { RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { botLanguage } from '#schemas/language.ts'
import { type openExternalServices, performEffect } from '../conversation/effect/perform-effect.ts'
import { levelChain, turnSettings } from '../conversation/effect/turn-settings.ts'
import { LINK_TYPE, linkChannel } from '../conversation/engine/folded-conversation.ts'
import { isWordless, linkedMessages, linkedSettings, MAX_LINKS, mayLink } from '../conversation/engine/linked-bot.ts'
import type { RuntimeParts } from '../parts.ts'

interface TriedBots {
  readonly parts: Pick<RuntimeParts, 'read' | 'releases' | 'nlu'>
  readonly outside: ReturnType<typeof openExternalServices>
}

interface Tried {
  /** Whether reads of REST blocks are made. Calls that change something are refused. */
  readonly canCall: boolean
  /** Time of the conversation that is tried, ms since 1970. */
  readonly now: () => number
}

/** The conversation with a linked bot, kept with the state of the asking one: going back takes it back too. */
interface LinkedState {
  readonly release: number
  readonly state: ConversationState
}

const linkedStateOf = (value: Json): LinkedState | undefined =>
  isObject(value) && typeof value.release === 'number' && isObject(value.state)
    ? (value as unknown as LinkedState)
    : undefined

const CALL_REFUSED: AnswerOf<'rest'> = {
  kind: 'rest',
  ms: 0,
  ok: false,
  error: { code: 'unavailable', message: 'A call of another bot is not made in test mode' },
}

const begunState = (bot: RowOf<'bot'>, { key }: EffectOf<'bot'>, started: number): ConversationState =>
  newConversation({
    id: key,
    started,
    channel: { id: linkChannel(key, bot.id), type: LINK_TYPE },
    user: {},
    locale: botLanguage(bot),
  })

/** A press is on the message of the linked bot, which asked its own question. */
const inputFor = (effect: EffectOf<'bot'>): TurnInput => {
  const { input, of, text } = effect
  if (isWordless(effect)) return { kind: 'open' }
  if (input.kind === 'order' || input.kind === 'submit') return { kind: input.kind, data: input.data }
  if (input.kind !== 'choice') return input
  return of === null ? { kind: 'text', text } : { kind: 'choice', message: of, action: input.action }
}

/** Runs a turn of another started bot for a simulated bot. Stores nothing. */
export const openLinkedBotSimulation = ({ parts, outside }: TriedBots) => {
  const { read, releases } = parts

  const perform = async (bot: RowOf<'bot'>, depth: number, tried: Tried, effect: Effect): Promise<EffectAnswer> => {
    if (effect.kind === 'bot') return ask(bot, depth + 1, tried, effect)
    if (effect.kind === 'rest' && (effect.changes || !tried.canCall)) return CALL_REFUSED
    return performEffect(effect, outside.of(bot))
  }

  const ask = async (
    from: RowOf<'bot'>,
    depth: number,
    tried: Tried,
    effect: EffectOf<'bot'>,
  ): Promise<AnswerOf<'bot'>> => {
    const { now } = tried
    const failed = (code: string): AnswerOf<'bot'> => ({ kind: 'bot', ms: 0, ok: false, code })
    const bot = await read.detail(SYSTEM_SCOPE, 'bot', effect.bot)
    if (bot === undefined || !(await mayLink(from, bot, level => levelChain(read, level)))) return failed('unavailable')
    if (depth >= MAX_LINKS) return failed('depth')
    const known = linkedStateOf(effect.linked)
    const release = known?.release ?? (await releases.newest(bot.id))?.number
    if (release === undefined) return failed('bot.stopped')
    const state = known === undefined || known.state.status === 'ended' ? begunState(bot, effect, now()) : known.state
    const environment = {
      release: await releases.compiled(bot.id, release),
      settings: linkedSettings(await turnSettings(parts, bot, state.locale)),
      now: now(),
      seed: state.turns + 1,
    }
    const steps = runTurn(environment, state, inputFor(effect))
    let step = steps.next()
    while (!step.done) step = steps.next(await perform(bot, depth, tried, step.value))
    const { said, state: after } = step.value
    const wait = after.status === 'waiting' ? after.frames.at(-1)?.wait : undefined
    return {
      ...{ kind: 'bot', ms: 0, ok: true, texts: [], messages: linkedMessages(said) },
      ...{ waits: wait !== undefined, masked: wait?.masked === true },
      linked: { release, state: after } as unknown as Json,
    }
  }

  return (from: RowOf<'bot'>, tried: Tried) => (effect: EffectOf<'bot'>) => ask(from, 0, tried, effect)
}
