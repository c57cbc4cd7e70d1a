import type { FlowModel } from '#domain/flow/document/model.ts'

/** Mark of conversation activity on a link: already walked, walked later, or the number of people. */
export interface LinkMark {
  readonly kind: 'walked' | 'later' | 'people'
  /** Flow pixels; without one as wide as its kind is. */
  readonly width?: number
}

/** A block that ran, and the output that it left by; null where it waits or the dialog ends. */
export interface LinkStep {
  readonly block: string
  readonly out: string | null
}

/** Walked links, by the outputs of the steps; `later` only if not walked before. */
export const walkedLinks = (
  { links }: FlowModel,
  walked: readonly LinkStep[],
  later: readonly LinkStep[] = [],
): ReadonlyMap<string, LinkMark> => {
  const keyOf = (block: string, connector: string) => `${block} ${connector}`
  const keys = (steps: readonly LinkStep[]) =>
    new Set(steps.flatMap(({ block, out }) => (out === null ? [] : [keyOf(block, out)])))
  const before = keys(walked)
  const after = keys(later)
  const marks = new Map<string, LinkMark>()
  for (const [id, { from, fromConnector }] of links) {
    const key = keyOf(from, fromConnector)
    if (before.has(key)) marks.set(id, { kind: 'walked' })
    else if (after.has(key)) marks.set(id, { kind: 'later' })
  }
  return marks
}
