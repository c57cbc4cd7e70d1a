import type { FlowModel } from '#domain/flow/document/model.ts'

/** A block as a conversation runs it: its content and its links. '' if missing. */
export const drawnAs = ({ nodes, links }: FlowModel, block: string): string => {
  const node = nodes.get(block)
  if (node === undefined) return ''
  const ways = [...links.values()]
    .filter(({ from }) => from === block)
    .map(({ fromConnector, fromSubConnector, to }) => JSON.stringify([fromConnector, fromSubConnector ?? null, to]))
  return JSON.stringify([node.type, node.properties, ways.sort()])
}

export interface RanBlock {
  readonly dialog: string
  readonly block: string
}

/** Version of each step's block when it ran: `before` for the first `kept` steps, else the current one. */
export const drawnWhenRun = (
  before: readonly string[],
  steps: readonly RanBlock[],
  kept: number,
  now: (ran: RanBlock) => string,
): readonly string[] => steps.map((step, at) => (at < kept ? before[at] : undefined) ?? now(step))

/** The first block that is drawn otherwise now than when it ran last; undefined where none is. */
export const editedBlock = (
  steps: readonly RanBlock[],
  drawn: readonly string[],
  now: (ran: RanBlock) => string,
): RanBlock | undefined => {
  const latest = new Map(steps.map((step, at) => [`${step.dialog} ${step.block}`, { step, drawn: drawn[at] ?? '' }]))
  return [...latest.values()].find(({ step, drawn: then }) => then !== '' && now(step) !== then)?.step
}
