import { Puzzle } from 'lucide-react'
import { expect, test } from 'vitest'
import { blocks } from '#schemas/blocks/registry.ts'
import { BlockIcon } from './tile.tsx'

test('gives each declared block its own icon, without clipping', () => {
  expect(BlockIcon({ name: 'nothing' }).type).toBe(Puzzle)
  for (const { type, icon } of Object.values(blocks)) {
    const drawn = BlockIcon({ name: icon })
    expect([type, drawn.type === Puzzle, drawn.props.overflow]).toEqual([type, false, 'visible'])
  }
})
