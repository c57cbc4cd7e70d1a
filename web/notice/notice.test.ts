import { expect, test } from 'vitest'
import { notice } from './notice.ts'

test('a snackbar stays 2500 ms, keeps its message and its color, info by default, at the bottom unless set to the top [C-4.35] [C-9.11]', () => {
  notice.snack('Saved')
  expect(notice.current()).toMatchObject({ kind: 'snack', text: 'Saved', tone: 'info', lasts: 2500 })
  expect(notice.current()).not.toHaveProperty('at')
  notice.snack('Saved', { tone: 'positive', at: 'top' })
  expect(notice.current()).toMatchObject({ tone: 'positive', at: 'top' })
})

test('of toasts there is one at a time, with a body of at most 800 characters [C-9.12]', () => {
  notice.toast('x'.repeat(700), { detail: 'y'.repeat(700) })
  const { text, detail, id } = notice.current() ?? {}
  expect([text?.length, detail?.length]).toEqual([700, 100])
  notice.toast('z'.repeat(900))
  expect(notice.current()?.text).toHaveLength(800)
  expect(notice.current()).not.toHaveProperty('detail')
  notice.close(id ?? 0)
  expect(notice.current()?.text).toHaveLength(800)
})
