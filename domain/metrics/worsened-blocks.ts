/** Number of people at a block, and of those who left the conversation there. */
export interface Losses {
  readonly entered: number
  readonly lost: number
}

/** Losses at the blocks of a dialog while one revision of it was live. */
export interface RevisionLosses {
  readonly revision: number
  readonly blocks: ReadonlyMap<string, Losses>
}

/** A block that loses more people since a revision went live. */
interface WorsenedBlock {
  readonly block: string
  readonly revision: number
  /** The live revision before it. */
  readonly from: number
  readonly was: Losses
  readonly is: Losses
}

/** People on each side of a comparison: fewer give a share by chance. */
const LEAST_PEOPLE = 20
/** Points by which the share that leaves has to grow. */
const LEAST_POINTS = 0.05
/** Deviations of the difference: 1 of 200 comparisons of equal shares reaches it. */
const LEAST_DEVIATIONS = 2.58

const NOBODY: Losses = { entered: 0, lost: 0 }

const sumOf = (revisions: readonly RevisionLosses[], block: string): Losses =>
  revisions.reduce((sum, { blocks }) => {
    const { entered, lost } = blocks.get(block) ?? NOBODY
    return { entered: sum.entered + entered, lost: sum.lost + lost }
  }, NOBODY)

/** Standard deviations by which the second share is above the first (two-proportion z-test). */
const deviationsOf = (was: Losses, is: Losses): number => {
  const share = (was.lost + is.lost) / (was.entered + is.entered)
  const spread = Math.sqrt(share * (1 - share) * (1 / was.entered + 1 / is.entered))
  return spread === 0 ? 0 : (is.lost / is.entered - was.lost / was.entered) / spread
}

const isWorse = (was: Losses, is: Losses): boolean =>
  was.entered >= LEAST_PEOPLE &&
  is.entered >= LEAST_PEOPLE &&
  is.lost / is.entered - was.lost / was.entered >= LEAST_POINTS &&
  deviationsOf(was, is) >= LEAST_DEVIATIONS

/**
 * Blocks that lose a greater share of their people since a revision, with the revision that divides the two best.
 * `revisions`: oldest first.
 */
export const worsenedBlocks = (revisions: readonly RevisionLosses[]): readonly WorsenedBlock[] => {
  const blocks = new Set(revisions.flatMap(each => [...each.blocks.keys()]))
  return [...blocks].flatMap(block => {
    const found = revisions.slice(1).flatMap(({ revision }, before): (WorsenedBlock & { deviations: number })[] => {
      const was = sumOf(revisions.slice(0, before + 1), block)
      const is = sumOf(revisions.slice(before + 1), block)
      const from = revisions[before]?.revision ?? 0
      return isWorse(was, is) ? [{ block, revision, from, was, is, deviations: deviationsOf(was, is) }] : []
    })
    const [best] = found.toSorted((one, other) => other.deviations - one.deviations)
    if (best === undefined) return []
    const { deviations: _, ...worsened } = best
    return [worsened]
  })
}
