import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** Replaces the page's event target; carries only pointer state. */
const told = new EventTarget()
const point = (type: string, buttons: number) => told.dispatchEvent(Object.assign(new Event(type), { buttons }))
let idle: (() => void)[] = []
let asked: number[] = []

beforeEach(() => {
  idle = []
  asked = []
  vi.resetModules()
  vi.stubGlobal('addEventListener', told.addEventListener.bind(told))
  vi.stubGlobal('requestIdleCallback', (run: () => void, { timeout }: { timeout: number }) => {
    asked.push(timeout)
    return idle.push(run)
  })
  vi.stubGlobal('cancelIdleCallback', (asked: number) => delete idle[asked - 1])
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const passIdle = () => {
  for (const run of idle.splice(0)) run?.()
}

test('delays idle work while a pointer is pressed', async () => {
  const { whenIdle } = await import('./idle.ts')
  const done: string[] = []
  whenIdle(() => done.push('before'))
  passIdle()
  expect(done).toEqual(['before'])

  point('pointerdown', 1)
  whenIdle(() => done.push('after'))
  const callOff = whenIdle(() => done.push('never'))
  passIdle()
  point('pointermove', 1)
  passIdle()
  expect(done).toEqual(['before'])

  callOff()
  point('pointerup', 0)
  expect(done).toEqual(['before'])
  passIdle()
  expect(done).toEqual(['before', 'after'])
})

test.each([
  ['the pointer moves without it', () => point('pointermove', 0)],
  ['another window has the keyboard', () => told.dispatchEvent(new Event('blur'))],
])('a button that was let go where nobody heard of it holds nothing back once %s', async (_when, happen) => {
  const { whenIdle } = await import('./idle.ts')
  const done: string[] = []
  point('pointerdown', 1)
  whenIdle(() => done.push('done'))
  passIdle()
  expect(done).toEqual([])
  happen()
  passIdle()
  expect(done).toEqual(['done'])
})

test('nor does one that opens a menu', async () => {
  const { whenIdle } = await import('./idle.ts')
  const done: string[] = []
  point('pointerdown', 2)
  whenIdle(() => done.push('done'))
  passIdle()
  expect(done).toEqual(['done'])
})
