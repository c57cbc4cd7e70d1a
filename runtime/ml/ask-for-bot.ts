import type { AnswerOf, EffectOf } from '#domain/conversation/effect.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { singleId } from '#schemas/single.ts'
import type { Ml } from './open-ml.ts'

const USUAL_TIMEOUT_MS = 40_000

interface BotParts {
  readonly read: ReadModels
  readonly ml: Ml
}

const timeoutOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : USUAL_TIMEOUT_MS)

/** Sends the question of a bot's block `talktomlsystem`, within the bot's `ml_timeout` (RUNTIME 49). */
export const askSystemForBot =
  ({ read, ml }: BotParts, bot: Row) =>
  async ({ system, ...talk }: EffectOf<'ml'>): Promise<AnswerOf<'ml'>> => {
    const began = performance.now()
    const setting = await read.detail(SYSTEM_SCOPE, 'botadvancedsetting', singleId('botadvancedsetting', bot.id))
    const reply = await ml.send(bot, system, talk, timeoutOf(setting?.ml_timeout))
    const ms = Math.round(performance.now() - began)
    return reply.ok
      ? { kind: 'ml', ms, ok: true, ...reply.value }
      : { kind: 'ml', ms, ok: false, code: reply.refusal.code }
  }

/** Understands texts for a bot with an outside NLU system; undefined for other bots. */
export const understandOutside = ({ ml }: Pick<BotParts, 'ml'>, bot: Row) => {
  const system = typeof bot.default_nlu_system === 'string' ? bot.default_nlu_system.trim().toLowerCase() : ''
  if (!ml.has(system)) return undefined
  return async ({ text, session, locale }: EffectOf<'nlu'>): Promise<AnswerOf<'nlu'>> => {
    const began = performance.now()
    const meaning = await ml.understand(bot, system, { text, session, locale }, timeoutOf(bot.nlutimeout))
    const ms = Math.round(performance.now() - began)
    return meaning.ok
      ? { kind: 'nlu', ms, ok: true, ...meaning.value }
      : { kind: 'nlu', ms, ok: false, code: meaning.refusal.code }
  }
}
