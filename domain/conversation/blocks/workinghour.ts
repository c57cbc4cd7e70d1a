import { nextOpenings } from '#domain/flow/condition/working-hour.ts'
import { textAt } from '#schemas/json.ts'
import { itemsAt } from '../question.ts'
import { type BlockRuntime, leave, perform, recordProblem } from '../turn.ts'

const OUTSIDE = 'output_outside'

/** Within working hours, holidays left out. */
export const workinghour: BlockRuntime = {
  *run(turn, { properties }) {
    const year = new Date(turn.now).getUTCFullYear()
    const { days } = yield* perform(turn, {
      kind: 'holiday',
      country: textAt(properties, 'country'),
      state: textAt(properties, 'state'),
      kinds: itemsAt(properties, 'holidayTypes').filter(kind => typeof kind === 'string'),
      years: [year - 1, year, year + 1],
    })
    try {
      const holidays = new Set(days)
      const [opening] = nextOpenings(properties, day => holidays.has(day), turn.now, 1)
      return leave(opening !== undefined && opening.from <= turn.now && turn.now < opening.to ? 'output_1' : OUTSIDE)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      recordProblem(turn, 'timezone.unknown', textAt(properties, 'timezone'))
      return leave(OUTSIDE)
    }
  },
}
