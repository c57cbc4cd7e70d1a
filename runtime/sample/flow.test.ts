import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { leftType } from '#domain/flow/condition/condition.ts'
import { importFlow, patchFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { lintExpressions } from '#domain/flow/lint/lint-expression.ts'
import { lintFlow } from '#domain/flow/lint/lint-flow.ts'
import type { DeclaredVariables } from '#domain/flow/variable/variable-fit.ts'
import { OPERATORS, type OperandType } from '#schemas/blocks/comparison.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FlowOperator } from '#schemas/flow/file.ts'
import { clinic } from './content/clinic.ts'
import { common } from './content/common.ts'
import { energy } from './content/energy.ts'
import { retail } from './content/retail.ts'
import { drawnWithKeys } from './fixture.ts'
import type { Plan } from './plan.ts'
import { growFlow } from './schedule.ts'

const BLOCK = { width: 240, height: 72 }
const isRun = ({ type }: FlowOperator) => typeof type === 'string' && blockOf(type)?.runs === true
const idOf = (entity: string, key: string) => `${entity} ${key}`
const named = (deeds: Plan['deeds'], entity: string) =>
  deeds.filter(deed => deed.entity === entity && deed.action === 'create').map(({ input }) => input)
const globals = named(common(idOf), 'globalvariable').map(({ name }) => String(name))
const declaredIn = ({ deeds }: Plan): DeclaredVariables =>
  new Map(
    named(deeds, 'variable').map(({ name, datatype, schema }) => [
      String(name),
      [{ datatype: String(datatype), schema: typeof schema === 'string' ? schema : '', inReach: true }],
    ]),
  )
const flows = [clinic(idOf), retail(idOf), energy(idOf)].flatMap(bot =>
  bot.drawn.map(plan => ({ ...plan, drawing: drawnWithKeys(plan.sketch, plan.remarks), declared: declaredIn(bot) })),
)

test.each(flows)(
  'the flow $key of the sample has nothing to check but what nobody links, its variables included',
  async ({ drawing, declared }) => {
    const flow = readFlow(importFlow(drawing.file))

    const variable = new Set([...declared.keys(), ...globals])
    const written = await lintExpressions(flow, { parser: 'Jexl', pathParser: 'JSONPath' }, { variable, declared })

    expect([...lintFlow(flow, { declared }), ...written]).toEqual([])
  },
)

/** Types of declared variables as operands of a condition. */
const OPERAND: Readonly<Record<string, OperandType>> = { number: 'numeric' }

test.each(flows)(
  'conditions of the flow $key compare by operators of the type of their variable [P-1923]',
  ({ drawing, declared }) => {
    const typeOf = (name: string): OperandType | undefined => {
      const type = declared.get(name)?.[0]?.datatype
      return type === undefined ? undefined : (OPERAND[type] ?? (type as OperandType))
    }
    const misfits = [...readFlow(importFlow(drawing.file)).nodes.values()]
      .filter(({ type }) => type === 'condition')
      .flatMap(({ title, properties }) => (properties.conditions as JsonObject[]).map(each => ({ title, ...each })))
      .flatMap(({ title, rules }: JsonObject) => (rules as JsonObject[]).map(rule => ({ title, rule })))
      .filter(({ rule }) => {
        const operators: readonly string[] = OPERATORS[leftType(rule, { typeOf })]
        return rule.valueVariable === '' && !operators.includes(String(rule.comparison))
      })
      .map(({ title, rule }) => `${String(title)}: ${String(rule.variable)} ${String(rule.comparison)}`)

    expect(misfits).toEqual([])
  },
)

test.each(flows)('no blocks of the flow $key overlap', ({ drawing }) => {
  const places = Object.values(drawing.file.operators)
    .filter(isRun)
    .map(({ left, top }) => ({ x: Number(left), y: Number(top) }))

  const overlapping = places.filter((one, index) =>
    places
      .slice(index + 1)
      .some(other => Math.abs(one.x - other.x) < BLOCK.width + 40 && Math.abs(one.y - other.y) < BLOCK.height + 18),
  )

  expect(overlapping).toEqual([])
})

test.each(flows)(
  'notes and frames in the flow $key cover no block, and a frame encloses its whole section',
  ({ drawing }) => {
    const boxes = Object.values(drawing.file.operators).map(operator => {
      const { width, height } = isRun(operator) ? BLOCK : (operator.properties ?? {})
      const { left, top, type } = operator
      return {
        type,
        x: Number(left),
        y: Number(top),
        right: Number(left) + Number(width),
        bottom: Number(top) + Number(height),
      }
    })
    const drawn = boxes.filter(({ type }) => type === 'note' || type === 'group')

    for (const one of drawn) {
      const touched = boxes.filter(
        box => box !== one && box.x < one.right && box.right > one.x && box.y < one.bottom && box.bottom > one.y,
      )
      const within = touched.filter(
        box => box.x >= one.x && box.right <= one.right && box.y >= one.y && box.bottom <= one.bottom,
      )
      expect(one.type === 'note' ? [] : within).toEqual(touched)
      if (one.type === 'group') expect(within.length).toBeGreaterThan(1)
    }
  },
)

test.each(flows)('every link of the flow $key ends where there is a connector', ({ drawing }) => {
  const { operators, links } = drawing.file

  for (const { fromOperator, fromConnector, toOperator, toConnector } of Object.values(links)) {
    expect(operators[fromOperator]?.properties?.outputs).toHaveProperty([fromConnector])
    expect(operators[toOperator]?.properties?.inputs).toHaveProperty([toConnector])
  }
})

test('one flow of the sample has more than eighty blocks, the others ten to forty', () => {
  const counts = flows
    .map(({ drawing }) => Object.values(drawing.file.operators).filter(isRun).length)
    .sort((a, b) => a - b)

  expect(counts.at(-1)).toBeGreaterThan(80)
  expect(counts.slice(0, -1).filter(count => count < 10 || count > 45)).toEqual([])
})

test.each(flows)('the flow $key grows in 14 to 60 edits, each of which changes something, into what is drawn', plan => {
  const stages = growFlow(plan.drawing, plan.pace)
  const doc = importFlow({ ...plan.drawing.file, operators: {}, links: {} })
  let changes = 0
  doc.on('update', () => {
    changes += 1
  })

  for (const { file } of stages) patchFlow(doc, file, 'test')

  expect(exportFlow(doc).operators).toEqual(exportFlow(importFlow(plan.drawing.file)).operators)
  expect(changes).toBeGreaterThanOrEqual(14)
  expect(changes).toBeLessThanOrEqual(60)
})

test.each([clinic(idOf), retail(idOf), energy(idOf)])(
  'every variable of a bot of the sample is said in a flow',
  async bot => {
    let unused = [...declaredIn(bot).keys()]
    for (const { sketch } of bot.drawn) {
      const flow = readFlow(importFlow(drawnWithKeys(sketch).file))
      const told = await lintExpressions(flow, { parser: 'Jexl', pathParser: 'JSONPath' }, { unused })
      unused = told.flatMap(({ code, name = '' }) => (code === 'variable.unused' ? [name] : []))
    }
    expect(unused).toEqual([])
  },
)

afterEach(() => void vi.useRealTimers())

// 12:30, 21:30 and 23:59 in São Paulo, all of one day, which in UTC ends between the first two.
test.each(['2026-12-30T15:30:00Z', '2026-12-31T00:30:00Z', '2026-12-31T02:59:00Z'])(
  'the sample names the day of a delivery by the calendar of São Paulo at %s [P-2254]',
  now => {
    const { drafts } = retail(idOf).written.find(({ key }) => key === 'varejo/prazo') ?? { drafts: [] }
    const code = drafts.at(-1)?.code ?? ''
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) })
    const said = ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-06'].map(previsao =>
      runInNewContext(`${code}; run(previsao)`, { Date, previsao }),
    )
    expect(said).toEqual(['hoje', 'amanhã', 'sexta', 'em 6 de janeiro'])
  },
)
