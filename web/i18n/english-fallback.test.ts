import i18next from 'i18next'
import { expect, test, vi } from 'vitest'
import { englishFallback } from './english-fallback.ts'

const ENGLISH = { save: 'Save', leave: 'Leave', menu: { open: 'Open' } }

const started = async (read = async (): Promise<Record<string, unknown>> => ENGLISH) => {
  const own = i18next.createInstance()
  const reading = vi.fn(read)
  await own.init({
    lng: 'pt',
    fallbackLng: false,
    defaultNS: 'shell',
    resources: { pt: { shell: { save: 'Salvar', menu: {} } } },
    ...englishFallback(own, reading),
  })
  return { own, reading }
}

test('a text that the chosen language lacks is shown in English, and never as its key [C-1.06]', async () => {
  const { own, reading } = await started()
  const drawn = vi.fn()
  own.on('languageChanged', drawn)
  expect(own.t('save')).toBe('Salvar')
  expect(reading).not.toHaveBeenCalled()
  expect([own.t('leave'), own.t('menu.open')]).toEqual(['', ''])
  await vi.waitFor(() => expect(drawn).toHaveBeenCalled())
  expect([own.t('save'), own.t('leave'), own.t('menu.open')]).toEqual(['Salvar', 'Leave', 'Open'])
  expect(reading.mock.calls).toEqual([['en', 'shell']])
})

test('words that are given for the case are shown, and English is not read for them [C-1.06]', async () => {
  const { own, reading } = await started()
  expect(own.t('none', { defaultValue: 'by name' })).toBe('by name')
  expect(own.t('none', { defaultValue: '' })).toBe('')
  expect(reading).not.toHaveBeenCalled()
})

test('loads English again on the next missing text after a failure [C-1.06]', async () => {
  let fails = true
  const { own } = await started(async () => {
    if (fails) throw new Error('no connection')
    return ENGLISH
  })
  expect(own.t('leave')).toBe('')
  await new Promise(resolve => setTimeout(resolve))
  fails = false
  expect(own.t('leave')).toBe('')
  await vi.waitFor(() => expect(own.t('leave')).toBe('Leave'))
})
