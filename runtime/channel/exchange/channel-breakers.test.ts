import { expect, test } from 'vitest'
import { ChannelBreakers } from './send-part.ts'

test('resumes all conversations of a channel whose token was replaced, also after one of them sent [P-2245]', async () => {
  const breakers = new ChannelBreakers(() => 0)
  const [old, replaced] = [
    { id: 'a', fields: { token: 'old' } },
    { id: 'a', fields: { token: 'new' } },
  ]
  expect(breakers.open(old, '401')).toBe(true)
  expect([breakers.isOpen(old), breakers.wait(old)]).toEqual([true, 60_000])
  expect([breakers.isOpen(replaced), breakers.wait(replaced)]).toEqual([false, 0])
  expect(await breakers.changed(async () => replaced.fields)).toEqual(['a'])
  expect(breakers.of('a')).toBeUndefined()
})
