import { describe, expect, test } from 'vitest'
import { coalesceByKey } from './reservation.ts'

const asked = () => {
  const open: { readonly key: string; readonly answer: PromiseWithResolvers<number> }[] = []
  const question = coalesceByKey((key: string) => {
    const answer = Promise.withResolvers<number>()
    open.push({ key, answer })
    return answer.promise
  })
  return { open, question }
}

describe('a shared question', () => {
  test('asked again while it is being answered is asked once more, for all who came meanwhile', async () => {
    const { open, question } = asked()
    const first = question('a')
    const later = [question('a'), question('a'), question('a')]
    expect(open).toHaveLength(1)
    open[0]?.answer.resolve(1)
    expect(await first).toBe(1)
    await expect.poll(() => open.length).toBe(2)
    open[1]?.answer.resolve(2)
    expect(await Promise.all(later)).toEqual([2, 2, 2])
    void question('a')
    expect(open).toHaveLength(3)
  })

  test('about another thing waits for nobody, and one that fails fails those who shared it alone', async () => {
    const { open, question } = asked()
    const failing = question('a')
    const next = question('a')
    void question('b')
    expect(open.map(({ key }) => key)).toEqual(['a', 'b'])
    open[0]?.answer.reject(new Error('away'))
    await expect(failing).rejects.toThrow('away')
    await expect.poll(() => open.length).toBe(3)
    open[2]?.answer.resolve(3)
    expect(await next).toBe(3)
  })
})
