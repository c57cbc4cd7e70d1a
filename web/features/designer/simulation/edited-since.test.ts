import { describe, expect, test } from 'vitest'
import { blockStatesAtRun, editedBlock } from './use-simulation.ts'

const ran = (...blocks: readonly string[]) => blocks.map(block => ({ dialog: 'd', block }))

describe('a block that was changed after it ran [R-81]', () => {
  const steps = ran('a', 'b', 'a')
  const drawn = blockStatesAtRun([], steps, 0, ({ block }) => `${block}1`)

  test('is the first of those that are drawn otherwise than when they ran last', () => {
    expect(editedBlock(steps, drawn, ({ block }) => `${block}1`)).toBeUndefined()
    expect(editedBlock(steps, drawn, () => 'other')?.block).toBe('a')
    expect(editedBlock(steps, drawn, ({ block }) => (block === 'b' ? '' : `${block}1`))?.block).toBe('b')
  })

  test('is none any more once it ran again', () => {
    const now = ({ block }: { readonly block: string }) => (block === 'b' ? 'b2' : `${block}1`)
    expect(editedBlock(steps, drawn, now)?.block).toBe('b')
    const again = blockStatesAtRun(drawn, steps, 1, now)
    expect(again).toEqual(['a1', 'b2', 'a1'])
    expect(editedBlock(steps, again, now)).toBeUndefined()
    expect(blockStatesAtRun(drawn, ran('a', 'b', 'a', 'c'), 3, now)).toEqual(['a1', 'b1', 'a1', 'c1'])
  })

  test('is not reported for a closed dialog', () => {
    expect(editedBlock(steps, ['', '', ''], () => 'x')).toBeUndefined()
  })
})
