import { describe, expect, test } from 'vitest'
import { COMFORTABLE, overlaps } from '../model/geometry.ts'
import { collisionFreeShift, type Placed } from './collision-free-shift.ts'

const block = (x: number, y: number): Placed => ({ box: { x, y, ...COMFORTABLE }, isFrame: false })
const frame = (x: number, y: number, width: number, height: number): Placed => ({
  box: { x, y, width, height },
  isFrame: true,
})
const covers = (by: { x: number; y: number }, group: readonly Placed[], taken: readonly Placed[]) =>
  group.some(({ box }) =>
    taken.some(other => overlaps(other.box, { ...box, x: box.x + by.x, y: box.y + by.y }) && !other.isFrame),
  )

describe('a placed selection', () => {
  test('stays where it is wished when nothing is there, on the grid', () => {
    expect(collisionFreeShift({ x: 33, y: 47 }, [block(0, 0)], [])).toEqual({ x: 40, y: 40 })
  })

  test('moves as a whole to the nearest free place without overlaps', () => {
    const group = [block(0, 0), block(300, 200)]
    const taken = [block(40, 40), block(300, 260), block(-300, 0)]
    const by = collisionFreeShift({ x: 0, y: 0 }, group, taken)
    expect(covers(by, group, taken)).toBe(false)
    expect(Math.hypot(by.x, by.y)).toBeLessThan(300)
  })

  test('keeps a frame off other blocks and frames, except inside a larger one', () => {
    const group = [frame(0, 0, 300, 200), block(30, 60)]
    const inner = collisionFreeShift({ x: 0, y: 0 }, group, [frame(-500, -500, 2000, 2000), block(30, 60)])
    expect(covers(inner, group, [block(30, 60)])).toBe(false)
    expect(Math.hypot(inner.x, inner.y)).toBeLessThan(400)
    const beside = collisionFreeShift({ x: 0, y: 0 }, [frame(0, 0, 300, 200)], [frame(100, 100, 300, 200)])
    expect(Math.abs(beside.x - 100) >= 300 || Math.abs(beside.y - 100) >= 200).toBe(true)
  })

  test('of a flow of a thousand blocks, all of them are put down beside themselves in little time', () => {
    // given blocks without a gap that another one fits into
    const taken = Array.from({ length: 1000 }, (_, index) => block((index % 25) * 280, Math.floor(index / 25) * 130))
    const start = process.cpuUsage()
    // when all of them are put down once more
    const by = collisionFreeShift({ x: 40, y: 40 }, taken, taken)
    const { user, system } = process.cpuUsage(start)
    // then the group overlaps nothing, within little CPU time; other processes do not count
    expect(covers(by, taken, taken)).toBe(false)
    expect((user + system) / 1000).toBeLessThan(500)
  })
})
