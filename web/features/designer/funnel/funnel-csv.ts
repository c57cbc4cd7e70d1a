import { csvRecord } from '#domain/csv/cell.ts'
import type { FlowModel } from '#domain/flow/document/model.ts'
import type { Dropoff } from './funnel.ts'

const COUNTS = [
  'entered',
  'answered',
  'retried',
  'gaveup',
  'skipped',
  'interrupted',
  'abandoned',
  'lost',
  'agent',
  'problems',
  'waiting',
  'p50',
  'p95',
] as const

/** CSV of people's activity per block of a dialog: one line per block, most visited first. */
export const funnelCsv = ({ blocks }: Dropoff, { nodes }: Pick<FlowModel, 'nodes'>): string => {
  const outputs = [...new Set(blocks.flatMap(({ out }) => Object.keys(out)))].sort()
  // Counts below five are withheld: the cell is empty.
  const text = (count: number | null | undefined): string =>
    count === null || count === undefined ? '' : String(count)
  const lines = blocks.map(counts => {
    const { block, out } = counts
    const node = nodes.get(block)
    const left = outputs.map(output => text(Object.hasOwn(out, output) ? out[output] : 0))
    return csvRecord([block, node?.title ?? '', node?.type ?? '', ...COUNTS.map(name => text(counts[name])), ...left])
  })
  const head = ['block', 'title', 'type', ...COUNTS, ...outputs.map(output => `left ${output}`)]
  return `\ufeff${csvRecord(head)}${lines.join('')}`
}
