import type { z } from 'zod'
import type { Effect, EffectAnswer } from '#domain/conversation/effect.ts'
import type { TurnSettings } from '#domain/conversation/release.ts'
import type { simulationSchema } from '#schemas/api/simulation.ts'
import type { NluReasons } from '../nlu/open-nlu.ts'
import type { HeldSimulation } from './open-simulations.ts'

type Understood = z.input<typeof simulationSchema>['understood'][number]

const MAX_RANKED = 5
const NO_REASONS = { for: [], against: [] }
const copied = ({ for: pro, against }: NluReasons) => ({ for: [...pro], against: [...against] })

const byConfidence = (intents: readonly { readonly name: string; readonly confidence: number }[]) =>
  intents.toSorted((a, b) => b.confidence - a.confidence).slice(0, MAX_RANKED)

/** Recognition result of a model or brain, by the rules of a turn; undefined for other effects. */
const understoodBy = (
  effect: Effect,
  answer: EffectAnswer,
  { nlu }: TurnSettings,
): Omit<Understood, 'turn' | 'reasons'> | undefined => {
  if (effect.kind === 'nlu' && answer.kind === 'nlu') {
    const asked = { by: 'nlu' as const, text: effect.text }
    if (!answer.ok) return { ...asked, error: answer.code, intent: null, threshold: 0, ranking: [], entities: [] }
    const ranking = byConfidence(answer.intents)
    const threshold = nlu.intentConfidence ?? answer.threshold ?? 0
    const [best] = ranking
    const intent = best !== undefined && best.confidence >= threshold ? best.name : null
    return { ...asked, intent, threshold, ranking, entities: answer.entities.map(each => ({ ...each })) }
  }
  if (effect.kind === 'brain' && answer.kind === 'brain') {
    const asked = { by: 'brain' as const, text: effect.text, threshold: 0, entities: [] }
    if (!answer.ok) return { ...asked, error: answer.code, intent: null, ranking: [] }
    const { intent, confidence } = answer
    return { ...asked, intent, ranking: intent === null ? [] : [{ name: intent, confidence }] }
  }
  return undefined
}

/** Recognition results of each turn so far, with reasons. A step back removes them. */
export const understoodTexts = async ({ simulation, explain }: HeldSimulation): Promise<readonly Understood[]> => {
  const found = simulation.played.flatMap(({ calls }, place) =>
    calls.map(async ({ effect, answer }) => {
      const understood = understoodBy(effect, answer, simulation.settings)
      if (understood === undefined) return []
      const reasons = understood.by === 'nlu' ? await explain(understood.text).catch(() => undefined) : undefined
      return [{ turn: place + 1, ...understood, reasons: copied(reasons ?? NO_REASONS) }]
    }),
  )
  return (await Promise.all(found)).flat()
}
