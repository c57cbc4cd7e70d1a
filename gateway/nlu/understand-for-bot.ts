import { setTimeout as pause } from 'node:timers/promises'
import type { AnswerOf, EffectOf } from '#domain/conversation/effect.ts'
import { NONE_INTENT } from '#domain/nlu/project-data.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Nlu, WantedModel } from './open-nlu.ts'

const USUAL_TIMEOUT_MS = 40_000

type NluEffect = EffectOf<'nlu'>
type NluEffectAnswer = AnswerOf<'nlu'>

/** The model that a bot names for itself; null leaves it to its project. */
export const modelOfBot = ({ nlumodel }: Row): string | null =>
  typeof nlumodel === 'string' && nlumodel !== '' ? nlumodel : null

/** What a bot's NLU project makes of a text. `model`: hash of the release's model; null for the one in production. */
export const understandForBot =
  (parts: { readonly read: ReadModels; readonly nlu: Nlu }, bot: Row, model: string | null) =>
  async ({ text }: NluEffect): Promise<NluEffectAnswer> => {
    const began = performance.now()
    const ms = () => Math.round(performance.now() - began)
    const failed = (code: string): NluEffectAnswer => ({ kind: 'nlu', ms: ms(), ok: false, code })
    const project = typeof bot.nluproject === 'string' ? bot.nluproject : ''
    const row = project === '' ? undefined : await parts.read.detail(SYSTEM_SCOPE, 'nluproject', project)
    if (row === undefined) return failed('noproject')
    const timeout = typeof bot.nlutimeout === 'number' && bot.nlutimeout > 0 ? bot.nlutimeout : USUAL_TIMEOUT_MS
    const wanted = { text, fuzzy: bot.fuzzy_match_enabled === true, now: Date.now() }
    const ended = new AbortController()
    try {
      const parse = (of: WantedModel) => parts.nlu.parse('nluproject', row, { ...wanted, model: of })
      // A model of a release that its project no longer keeps gives way to the one in production.
      const answer = await Promise.race([
        (async () => (model === null ? undefined : await parse({ hash: model })) ?? (await parse('production')))(),
        pause(timeout, 'late' as const, { signal: ended.signal, ref: false }),
      ])
      if (answer === 'late') return failed('timeout')
      if (answer === undefined) return failed('nomodel')
      const { ranking, entities, threshold } = answer
      const intents = ranking[0]?.name === NONE_INTENT ? [] : ranking.filter(({ name }) => name !== NONE_INTENT)
      const found = entities.map(({ entity: name, value, confidence }) => ({ name, value, confidence }))
      return { kind: 'nlu', ms: ms(), ok: true, intents, entities: found, threshold }
    } catch {
      return failed('error')
    } finally {
      ended.abort()
    }
  }
