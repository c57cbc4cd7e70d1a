import { setTimeout as pause } from 'node:timers/promises'
import type { AnswerOf, EffectOf } from '#domain/conversation/effect.ts'
import { NONE_INTENT } from '#domain/nlu/project-data.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { WorkDropped } from '../isolation/pooled-work.ts'
import type { ModelSelector, Nlu, NluReasons } from './open-nlu.ts'

const USUAL_TIMEOUT_MS = 40_000

/** ms that a bot waits for the result of a text. */
const nluTimeout = ({ nlutimeout }: RowOf<'bot'>): number => nlutimeout || USUAL_TIMEOUT_MS

/** Returns `late` on a timeout. */
const withTimeLimit = async <T>(asked: Promise<T>, ms: number): Promise<T | 'late'> => {
  const ended = new AbortController()
  try {
    return await Promise.race([asked, pause(ms, 'late' as const, { signal: ended.signal, ref: false })])
  } finally {
    ended.abort()
  }
}

type NluEffect = EffectOf<'nlu'>
type NluEffectAnswer = AnswerOf<'nlu'>

/** The bot's own model; null for the one of its project. */
export const modelOfBot = ({ nlumodel }: RowOf<'bot'>): string | null => nlumodel || null

/** The NLU project of a bot. */
const projectOf = async (read: ReadModels, { nluproject }: RowOf<'bot'>): Promise<RowOf<'nluproject'> | undefined> =>
  nluproject ? read.detail(SYSTEM_SCOPE, 'nluproject', nluproject) : undefined

/** Answers stored in a bot's model, by intent; undefined when it has none or it cannot be loaded. */
export const responsesForBot = async (
  { read, nlu }: { readonly read: ReadModels; readonly nlu: Pick<Nlu, 'responses'> },
  bot: RowOf<'bot'>,
): Promise<Readonly<Record<string, readonly string[]>> | undefined> => {
  const project = await projectOf(read, bot)
  const model = modelOfBot(bot)
  return project && nlu.responses('nluproject', project, model === null ? 'production' : { hash: model })
}

/** Reasons for a model's result for a text of a bot. */
export const reasonsForBot =
  ({ read, nlu }: { readonly read: ReadModels; readonly nlu: Nlu }, bot: RowOf<'bot'>) =>
  async (text: string): Promise<NluReasons | undefined> => {
    const project = await projectOf(read, bot)
    const hash = modelOfBot(bot)
    const asked = { text, fuzzy: bot.fuzzy_match_enabled, now: Date.now() }
    const answer =
      project && (await nlu.parse('nluproject', project, { ...asked, model: hash === null ? 'production' : { hash } }))
    return answer?.reasons
  }

/** Understands a text with a bot's NLU project. `model`: hash of the release's model; null: the production model. */
export const understandForBot =
  (parts: { readonly read: ReadModels; readonly nlu: Nlu }, bot: RowOf<'bot'>, model: string | null) =>
  async ({ text }: NluEffect): Promise<NluEffectAnswer> => {
    const began = performance.now()
    const ms = () => Math.round(performance.now() - began)
    const failed = (code: string): NluEffectAnswer => ({ kind: 'nlu', ms: ms(), ok: false, code })
    const row = await projectOf(parts.read, bot)
    if (row === undefined) return failed('noproject')
    const wanted = { text, fuzzy: bot.fuzzy_match_enabled, now: Date.now() }
    const parse = (of: ModelSelector) => parts.nlu.parse('nluproject', row, { ...wanted, model: of })
    // Falls back to the production model when the project no longer stores the release's model.
    const asked = async () => (model === null ? undefined : await parse({ hash: model })) ?? (await parse('production'))
    try {
      const answer = await withTimeLimit(asked(), nluTimeout(bot))
      if (answer === 'late') return failed('timeout')
      if (answer === undefined) return failed('nomodel')
      const { ranking, entities, threshold } = answer
      const intents = ranking[0]?.name === NONE_INTENT ? [] : ranking.filter(({ name }) => name !== NONE_INTENT)
      const found = entities.map(({ entity: name, value, confidence }) => ({ name, value, confidence }))
      return { kind: 'nlu', ms: ms(), ok: true, intents, entities: found, threshold }
    } catch (error) {
      if (error instanceof WorkDropped) throw error
      return failed('error')
    }
  }

type BrainAnswer = AnswerOf<'brain'>

/** Answer of a bot's brain to a text, only if its production model is certain enough. */
export const askBrainOf =
  (parts: { readonly read: ReadModels; readonly nlu: Nlu }, bot: RowOf<'bot'>) =>
  async ({ text }: EffectOf<'brain'>): Promise<BrainAnswer> => {
    const began = performance.now()
    const ms = () => Math.round(performance.now() - began)
    const failed = (code: string): BrainAnswer => ({ kind: 'brain', ms: ms(), ok: false, code })
    const brain = bot.brain ? await parts.read.detail(SYSTEM_SCOPE, 'brain', bot.brain) : undefined
    if (brain === undefined) return failed('nobrain')
    const wanted = { text, model: 'production', fuzzy: bot.fuzzy_match_enabled, now: Date.now() } as const
    try {
      const answer = await withTimeLimit(parts.nlu.parse('brain', brain, wanted), nluTimeout(bot))
      if (answer === 'late') return failed('timeout')
      if (answer === undefined) return failed('nomodel')
      const { intent, confidence, responses } = answer
      return { kind: 'brain', ms: ms(), ok: true, intent, confidence, answers: responses }
    } catch (error) {
      if (error instanceof WorkDropped) throw error
      return failed('error')
    }
  }
