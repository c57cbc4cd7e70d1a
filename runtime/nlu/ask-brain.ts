import type { AnswerOf, EffectOf } from '#domain/conversation/effect.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { WorkDropped } from '../isolation/job-result.ts'
import type { Nlu } from './open-nlu.ts'
import { inTime, nluTimeout } from './understand-for-bot.ts'

type BrainAnswer = AnswerOf<'brain'>

/** Answer of a bot's brain to a text, only if its production model is certain enough (NLU.md 5.12). */
export const askBrainOf =
  (parts: { readonly read: ReadModels; readonly nlu: Nlu }, bot: Row) =>
  async ({ text }: EffectOf<'brain'>): Promise<BrainAnswer> => {
    const began = performance.now()
    const ms = () => Math.round(performance.now() - began)
    const failed = (code: string): BrainAnswer => ({ kind: 'brain', ms: ms(), ok: false, code })
    const id = typeof bot.brain === 'string' ? bot.brain : ''
    const brain = id === '' ? undefined : await parts.read.detail(SYSTEM_SCOPE, 'brain', id)
    if (brain === undefined) return failed('nobrain')
    const wanted = { text, model: 'production', fuzzy: bot.fuzzy_match_enabled === true, now: Date.now() } as const
    try {
      const answer = await inTime(parts.nlu.parse('brain', brain, wanted), nluTimeout(bot))
      if (answer === 'late') return failed('timeout')
      if (answer === undefined) return failed('nomodel')
      const { intent, confidence, responses } = answer
      return { kind: 'brain', ms: ms(), ok: true, intent, confidence, answers: responses }
    } catch (error) {
      if (error instanceof WorkDropped) throw error
      return failed('error')
    }
  }
