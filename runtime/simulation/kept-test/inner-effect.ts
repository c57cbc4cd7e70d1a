import type { Holiday, Place } from '#domain/calendar/holiday.ts'
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

const MAX_CALENDARS = 100
/** Years of places: one takes some 10 ms, and every turn of a bot with business hours asks for it. */
const calendars = new Map<string, readonly Holiday[]>()

const holidaysIn = async (place: Place, year: number): Promise<readonly Holiday[]> => {
  const key = JSON.stringify([place.country, place.state, year])
  const known = calendars.get(key)
  if (known !== undefined) return known
  const { holidaysOf } = await import('#domain/calendar/holiday.ts')
  const found = holidaysOf(place, year)
  if (calendars.size >= MAX_CALENDARS) calendars.clear()
  calendars.set(key, found)
  return found
}

/** Expressions and holidays, in the process that asks: it is ended when they take too long. */
export const performInner = async (effect: EffectOf<'evaluate'> | EffectOf<'holiday'>): Promise<EffectAnswer> => {
  if (effect.kind === 'evaluate') return { kind: 'evaluate', ms: 0, values: await evaluate(effect) }
  const { country, state, kinds, years } = effect
  const found = await Promise.all(years.map(year => holidaysIn({ country, state }, year)))
  const days = found.flat().flatMap(({ day, type }) => (kinds.includes(type) ? [day] : []))
  return { kind: 'holiday', ms: 0, days }
}
