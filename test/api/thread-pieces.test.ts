import { expect, test } from 'vitest'
import { ThreadPieces } from '#test/fixture/thread-pieces.ts'

const work = (ms: number) => {
  const begun = process.threadCpuUsage()
  const used = () => {
    const { user, system } = process.threadCpuUsage(begun)
    return (user + system) / 1000
  }
  while (used() < ms);
}
const tick = () => new Promise(resolve => setTimeout(resolve, 30))

test('finds one long piece of work, and neither short ones in a row nor what a start excuses [P-1701]', async () => {
  const pieces = new ThreadPieces()
  await tick()
  for (let count = 0; count < 6; count += 1) {
    work(40)
    await tick()
  }
  expect(pieces.take(100)).toEqual([])
  // More than the limit on a machine that is several times slower than usual, too.
  work(600)
  await tick()
  await pieces.excuse(async () => work(600))
  await tick()
  expect(pieces.take(100)).toMatchObject([{ requests: [] }])
})
