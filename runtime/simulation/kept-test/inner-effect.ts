import type { EffectAnswer, EffectOf, Evaluated } from '#domain/conversation/effect.ts'
import { expressionJob } from '#domain/conversation/evaluate.ts'
import { prepareJob } from '#domain/expression/run-job.ts'
import type { Json } from '#schemas/event.ts'

const evaluate = async ({ jobs, context }: EffectOf<'evaluate'>): Promise<readonly Evaluated[]> =>
  Promise.all(
    jobs.map(async (job): Promise<Evaluated> => {
      const run = await prepareJob(expressionJob(job, context))
      const outcome = await run()
      if (!outcome.ok) return { ok: false, fault: outcome.fault.code }
      const written = JSON.stringify(outcome.value)
      return { ok: true, value: written === undefined ? null : (JSON.parse(written) as Json) }
    }),
  )

/** Expressions and holidays, in the process that asks: it is ended when they take too long. */
export const performInner = async (effect: EffectOf<'evaluate'> | EffectOf<'holiday'>): Promise<EffectAnswer> => {
  if (effect.kind === 'evaluate') return { kind: 'evaluate', ms: 0, values: await evaluate(effect) }
  const { country, state, kinds, years } = effect
  const { holidaysOf } = await import('#domain/calendar/holiday.ts')
  const days = years.flatMap(year =>
    holidaysOf({ country, state }, year).flatMap(({ day, type }) => (kinds.includes(type) ? [day] : [])),
  )
  return { kind: 'holiday', ms: 0, days }
}
