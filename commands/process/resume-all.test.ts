import { expect, test } from 'vitest'
import { resumeAll } from './processes.ts'

test('resumes processes once an unavailable store answers', async () => {
  const failures: unknown[] = []
  let asked = 0
  const resume = async () => {
    asked += 1
    if (asked < 3) throw new Error(`away ${asked}`)
  }

  // The wait does not keep a process alive.
  const alive = setInterval(() => undefined, 1000)
  await resumeAll(resume, error => failures.push(error), 1)
  clearInterval(alive)

  expect(asked).toBe(3)
  expect(failures).toEqual([new Error('away 1'), new Error('away 2')])
})
