import { type Box, overlaps } from './geometry.ts'

/** Number of overlapping blocks, for the offer to tidy up. */
export const overlapping = (blocks: readonly Box[]): number => {
  const sorted = [...blocks].sort((a, b) => a.y - b.y)
  const covered = new Set<Box>()
  for (const [index, block] of sorted.entries()) {
    for (const other of sorted.slice(index + 1)) {
      if (other.y >= block.y + block.height) break
      if (!overlaps(block, other)) continue
      covered.add(block)
      covered.add(other)
    }
  }
  return covered.size
}
