import { expect, test } from 'vitest'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import {
  type Dropoff,
  daysBetween,
  funnelsOf,
  linkWidths,
  spreadRows,
  topDropoffBlocks,
  totalsOf,
  trendOf,
} from './funnel.ts'
import { funnelCsv } from './funnel-csv.ts'

const counts = (block: string, entered: number | null, lost: number | null, out: Record<string, number> = {}) => ({
  block,
  entered,
  lost,
  out,
  answered: 0,
  retried: 37,
  gaveup: 0,
  skipped: 0,
  interrupted: 0,
  abandoned: 0,
  agent: 0,
  problems: 0,
  waiting: 0,
  p50: null,
  p95: null,
})
const DROPOFF: Dropoff = {
  bot: 'b',
  dialog: 'd',
  from: '2026-11-01',
  to: '2026-11-03',
  revisions: [],
  worsened: [],
  blocks: [
    counts('start', 100, 0, { output_1: 100 }),
    counts('ask', 100, 18, { output_1: 25 }),
    counts('next', 20, 1),
    counts('few', null, null),
  ],
  days: [
    { block: 'ask', day: '2026-11-01', entered: 50, lost: 5 },
    { block: 'ask', day: '2026-11-03', entered: 50, lost: 13 },
  ],
}
const flowOf = (file: Pick<FlowFile, 'operators' | 'links'>) => {
  const doc = importFlow({ format: 'parley-flow', version: 1, ...file })
  const model = readFlow(doc)
  doc.destroy()
  return model
}
const operator = (type: string, top: number, properties = {}) => ({ type, title: type, top, left: 0, properties })
const link = (fromOperator: string, toOperator: string) => ({
  fromOperator,
  fromConnector: 'output_1',
  fromSubConnector: 0,
  toOperator,
  toConnector: 'input_1',
  toSubConnector: 0,
})
const MODEL = flowOf({
  operators: {
    start: operator('start', 0),
    ask: operator('prompt', 80),
    next: operator('text', 100),
    few: operator('text', 170),
    frame: operator('group', 60, { width: 300, height: 200 }),
  },
  links: { a: link('start', 'ask'), b: link('ask', 'next') },
})

test('a block stands out from five in a hundred who leave there on, and strongly from ten on [P-652]', () => {
  const funnels = funnelsOf(DROPOFF)
  expect([...funnels.values()].map(({ tone }) => tone)).toEqual(['plain', 'red', 'amber', 'plain'])
  expect(funnels.get('ask')).toMatchObject({ leftShare: 0.18, retriedShare: 0.37 })
  expect(funnels.get('few')).toMatchObject({ entered: null, leftShare: undefined })
  expect(topDropoffBlocks(funnels).map(({ block }) => block)).toEqual(['ask', 'next'])
  expect(totalsOf(DROPOFF.blocks, MODEL.nodes)).toEqual({ entered: 100, ended: 81, share: 0.81 })
})

test('makes a link as wide as the square root of its visitors [P-652]', () => {
  const widths = [...linkWidths(MODEL, DROPOFF).values()].map(({ width }) => width)
  expect(widths).toEqual([16, 8])
  expect([...linkWidths(MODEL, { ...DROPOFF, blocks: [] }).values()].map(({ width }) => width)).toEqual([0.8, 0.8])
})

test('moves rows apart by 20 pixels, and extends frames to their contents [P-652]', () => {
  const { nodes } = spreadRows(MODEL, 72)
  expect(['start', 'ask', 'next', 'few'].map(id => nodes.get(id)?.y)).toEqual([0, 100, 120, 210])
  expect(nodes.get('frame')).toMatchObject({ y: 60, properties: { height: 240 } })
})

test('returns the share of each day, except days without visitors [P-652]', () => {
  const days = daysBetween('2026-11-01', '2026-11-03')
  expect(days).toEqual(['2026-11-01', '2026-11-02', '2026-11-03'])
  expect(trendOf(DROPOFF.days, 'ask', days)).toEqual([0.1, undefined, 0.26])
})

test('returns a file: one line per block, hidden values empty, and titles safe for spreadsheets [P-1058]', () => {
  const [head, ...lines] = funnelCsv(
    DROPOFF,
    flowOf({ operators: { ask: { ...operator('prompt', 0), title: '=1+1' } }, links: {} }),
  )
    .trim()
    .split('\r\n')
  expect(head).toContain('block,title,type,entered,answered')
  expect(head?.endsWith('p50,p95,left output_1')).toBe(true)
  expect(lines).toHaveLength(4)
  expect(lines[1]).toBe("ask,'=1+1,prompt,100,0,37,0,0,0,0,18,0,0,0,,,25")
  expect(lines[3]?.startsWith('few,,,,0,37')).toBe(true)
})
