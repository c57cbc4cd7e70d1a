import { passwordDate } from '#domain/people/password.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowFile, FlowOperator } from '#schemas/flow/file.ts'
import { clinic } from './content/clinic.ts'
import { common } from './content/common.ts'
import { energy } from './content/energy.ts'
import { people, serviceDesk } from './content/people.ts'
import { retail } from './content/retail.ts'
import { type Drawing, drawFlow } from './draw-flow.ts'
import {
  type DrawnPlan,
  type IdOf,
  type Plan,
  type SampleStep,
  type Sitting,
  storyTime,
  type When,
  type WrittenPlan,
} from './plan.ts'

/** Result of an edit; the edits of one section belong together. */
interface Stage {
  readonly section: number
  readonly file: FlowFile
}

type Operators = Readonly<Record<string, FlowOperator>>

const SHIFT = { x: 60, y: 40 }
/** Sections with no more blocks than this are written out and moved at once. */
const SHORT = 5
const TRIAL = 'rascunho'

/**
 * Edits that led to a drawing: sections are placed block by block, slightly off their place, with first words that are
 * completed later; then the section is moved into line. A trial block is added and removed. The last stage is the
 * drawing. `pace`: blocks placed at once.
 */
export const growFlow = (drawing: Drawing, pace: number): readonly Stage[] => {
  const stages: Stage[] = []
  let drawn: Operators = {}
  const add = (section: number, operators: Operators) => {
    drawn = operators
    stages.push({ section, file: fileOf(drawing, operators) })
  }
  for (const [index, ids] of drawing.sections.entries()) {
    for (let at = 0; at < ids.length; at += pace) {
      add(index, { ...drawn, ...sketched(drawing, ids.slice(at, at + pace)) })
    }
    if (index === 1) {
      add(index, { ...drawn, [TRIAL]: trialBeside(drawing, ids) })
      add(index, without(drawn, TRIAL))
    }
    if (ids.length > SHORT) add(index, { ...drawn, ...worded(drawing, drawn, ids) })
    add(index, { ...drawn, ...chosen(drawing, ids) })
  }
  return stages
}

const operatorAt = ({ file }: Drawing, id: string): FlowOperator => file.operators[id] ?? {}

const chosen = (drawing: Drawing, ids: readonly string[]): Operators =>
  Object.fromEntries(ids.map(id => [id, operatorAt(drawing, id)]))

const sketched = (drawing: Drawing, ids: readonly string[]): Operators =>
  Object.fromEntries(
    ids.map(id => {
      const { left, top, properties, ...rest } = operatorAt(drawing, id)
      const at = { left: Number(left) + SHIFT.x, top: Number(top) + SHIFT.y }
      return [id, { ...rest, ...at, properties: firstWords(properties ?? {}) }]
    }),
  )

/** The final words where the blocks still stand. */
const worded = (drawing: Drawing, drawn: Operators, ids: readonly string[]): Operators =>
  Object.fromEntries(
    ids.map(id => {
      const { left = 0, top = 0 } = drawn[id] ?? {}
      return [id, { ...operatorAt(drawing, id), left, top }]
    }),
  )

const firstWords = (properties: JsonObject): JsonObject => {
  const { text, data } = properties
  if (typeof text === 'string') return { ...properties, text: firstSentence(text) }
  if (typeof data !== 'object' || data === null || !('text' in data)) return properties
  return { ...properties, data: { ...data, text: firstSentence(data.text) } }
}

/** A point within a word, as in `{{order.day}}`, ends no sentence. */
const firstSentence = (text: Json): Json =>
  typeof text === 'string' ? (/^(?:[^.!?\n]|[.!?](?=\S))*[.!?]?/u.exec(text)?.[0] ?? text) : text

const trialBeside = (drawing: Drawing, ids: readonly string[]): FlowOperator => {
  const { left, top } = operatorAt(drawing, ids.at(-1) ?? '')
  const outputs = { output_1: { label: '' } }
  const properties = { titleorig: 'Rascunho', inputs: { input_1: { label: '' } }, outputs, text: 'Testar com a equipe' }
  return { type: 'text', title: 'Rascunho', left: Number(left), top: Number(top) + 160, properties }
}

const without = (operators: Operators, id: string): Operators =>
  Object.fromEntries(Object.entries(operators).filter(([key]) => key !== id))

const fileOf = ({ file }: Drawing, operators: Operators): FlowFile => ({
  ...file,
  operators,
  links: Object.fromEntries(
    Object.entries(file.links).filter(
      ([, link]) => Object.hasOwn(operators, link.fromOperator) && Object.hasOwn(operators, link.toOperator),
    ),
  ),
})

type SampleCommand = {
  /** When it happened and who did it, by their key. */
  readonly time: Date
  readonly by: string | null
  /** Tells it from every other step. */
  readonly name: string
}

/** One thing that happened in the sample's past. */
export type Step = SampleCommand &
  (
    | {
        readonly do: 'command'
        readonly entity: string
        readonly action: string
        readonly id: string
        readonly input: JsonObject
      }
    | { readonly do: 'draw'; readonly flow: string; readonly file: FlowFile }
    | { readonly do: 'write'; readonly flow: string; readonly code: string }
    | { readonly do: 'release'; readonly bot: string }
    | { readonly do: 'train'; readonly project: string }
  )

interface ScheduleOptions {
  /** The moment of the first start: everything happened on the working days before. */
  readonly now: Date
  readonly idOf: IdOf
  /** Id of the start block that a dialog has from the beginning. */
  startOf(dialog: string): string
  readonly passwordOf: () => string
}

const BETWEEN_DEEDS = 9

/** All that happened, oldest first; the same for the same moment and ids, but for the passwords. */
export const schedule = (options: ScheduleOptions): readonly Step[] => {
  const { now, idOf, passwordOf } = options
  const dateOf = (when: When) => passwordDate(storyTime(now, ...when).toISOString())
  const plans = [clinic(idOf), retail(idOf), energy(idOf)]
  const lists = [people(idOf, passwordOf, dateOf), common(idOf), serviceDesk(idOf), ...plans.map(({ deeds }) => deeds)]
  const steps: Step[] = [
    ...lists.flatMap((deeds, index) => deedSteps(options, `deeds ${index}`, deeds)),
    ...plans.flatMap(({ drawn }) => drawn.flatMap(plan => drawnSteps(options, plan))),
    ...plans.flatMap(({ written }) => written.flatMap(plan => writtenSteps(options, plan))),
    ...plans.flatMap(plan => releaseSteps(options, plan)),
    ...plans.flatMap(plan => trainingSteps(options, plan)),
  ]
  return steps.sort((one, other) => one.time.getTime() - other.time.getTime())
}

const deedSteps = ({ now, idOf }: ScheduleOptions, list: string, deeds: readonly SampleStep[]): Step[] => {
  let row = 0
  return deeds.map(({ when, by, entity, action, key, input }, index) => {
    const before = deeds[index - 1]?.when
    row = before?.[0] === when[0] && before[1] === when[1] ? row + 1 : 0
    const time = later(storyTime(now, ...when), row * BETWEEN_DEEDS)
    const name = action === 'create' ? `create ${entity} ${key}` : `${list} ${index}`
    return { do: 'command', time, by, name, entity, action, id: idOf(entity, key), input }
  })
}

const drawnSteps = (options: ScheduleOptions, plan: DrawnPlan): Step[] => {
  const { now, idOf, startOf } = options
  const flow = idOf('dialog', plan.key)
  const drawing = drawFlow(plan.sketch, { start: startOf(plan.key), idOf, remarks: plan.remarks ?? [] })
  const stages = growFlow(drawing, plan.pace)
  const share = Math.ceil(stages.length / plan.sittings.length)
  const drawn = plan.sittings.flatMap((sitting, place) =>
    sittingSteps(now, flow, sitting, stages.slice(place * share, (place + 1) * share), place * share),
  )
  return [...drawn, ...mishapSteps(options, flow, plan, drawing)]
}

const sittingSteps = (
  now: Date,
  flow: string,
  { when, by }: Sitting,
  stages: readonly Stage[],
  first: number,
): Step[] => {
  let time = storyTime(now, ...when)
  return stages.map(({ section, file }, index) => {
    time = later(time, 25 + (((first + index) * 37) % 85))
    return { do: 'draw', time, by: by[section % by.length] ?? by[0], name: `draw ${flow} ${first + index}`, flow, file }
  })
}

const mishapSteps = ({ now }: ScheduleOptions, flow: string, plan: DrawnPlan, drawing: Drawing): Step[] => {
  if (plan.mishap === undefined) return []
  const { when, by, section } = plan.mishap
  const lost = drawing.sections[plan.sketch.findIndex(({ key }) => key === section)] ?? []
  const time = storyTime(now, ...when)
  const given = { by, name: `mishap ${flow}` }
  return [
    { ...given, do: 'draw', time, flow, file: fileWithout(drawing.file, new Set(lost)) },
    {
      by,
      name: `mended ${flow}`,
      do: 'command',
      time: later(time, 380),
      entity: 'dialog',
      action: 'restoreflow',
      id: flow,
      input: { blocks: [...lost] },
    },
  ]
}

const fileWithout = (file: FlowFile, lost: ReadonlySet<string>): FlowFile => ({
  ...file,
  operators: Object.fromEntries(Object.entries(file.operators).filter(([id]) => !lost.has(id))),
  links: Object.fromEntries(
    Object.entries(file.links).filter(([, link]) => !lost.has(link.fromOperator) && !lost.has(link.toOperator)),
  ),
})

const writtenSteps = ({ now, idOf }: ScheduleOptions, { key, drafts }: WrittenPlan): Step[] =>
  drafts.map(({ when, by, code }, index) => {
    const flow = idOf('handler', key)
    return { do: 'write', time: storyTime(now, ...when), by, name: `write ${flow} ${index}`, flow, code }
  })

const releaseSteps = ({ now, idOf }: ScheduleOptions, { bot, releases }: Plan): Step[] =>
  releases.map((when, index) => {
    const name = `release ${bot} ${index}`
    return { do: 'release', time: storyTime(now, ...when), by: null, name, bot: idOf('bot', bot) }
  })

const trainingSteps = ({ now, idOf }: ScheduleOptions, { bot, trainings = [] }: Plan): Step[] =>
  trainings.map(({ when, by }, index) => {
    const name = `train ${bot} ${index}`
    return { do: 'train', time: storyTime(now, ...when), by, name, project: idOf('nluproject', bot) }
  })

const later = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000)
