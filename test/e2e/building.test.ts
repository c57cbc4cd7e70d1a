import { afterAll, beforeAll, test } from 'vitest'
import { count, eventually, focused, inBrowser, LONG } from './browser.ts'
import { type Designer, flowOf } from './designer.ts'
import { type Clinic, openClinic } from './open-clinic.ts'

inBrowser('building by keyboard', { timeout: LONG }, () => {
  let clinic: Clinic
  let designer: Designer
  beforeAll(async () => {
    clinic = await openClinic()
    ;({ designer } = clinic)
  }, LONG)
  afterAll(() => clinic?.close())
  const saved = async () => {
    await designer.saved()
    return flowOf(clinic.admin, clinic.dialog)
  }
  const add = async (words: string) => {
    await designer.key('a')
    await designer.page.getByRole('combobox', { name: 'Find a block to add' }).fill(words)
    await designer.key('Enter')
  }
  const linkFrom = async (from: string) =>
    Object.values((await saved()).links).find(({ fromOperator }) => fromOperator === from)?.toOperator

  test('a block added after one that leads on comes between, is told, and one undo takes it back', async () => {
    // given
    const before = await linkFrom('hello')
    await designer.select('hello')
    // when
    await add('send message')
    // then
    const made = designer.page.locator('[data-block][data-selected]', { hasText: 'Send message' })
    await focused(made)
    await designer.page.getByText(/^Send message added between .+ and .+$/u).waitFor({ state: 'attached' })
    const id = (await made.getAttribute('data-block')) ?? ''
    await eventually(async () => [await linkFrom('hello'), await linkFrom(id)]).toEqual([id, before])
    await designer.key('Control+z')
    await count(designer.block(id), 0)
    await eventually(() => linkFrom('hello')).toBe(before)
  })

  test('what is typed after a note was added is its text; Escape leaves it, and letters are commands again', async () => {
    await designer.select('hello')
    await add('note')
    await designer.page.keyboard.type('ligar antes das 18h')
    const note = designer.page.locator('[data-shape=sheet] .pl-sheet-text')
    await eventually(() => note.innerText()).toBe('ligar antes das 18h')
    await designer.key('Escape')
    await focused(designer.page.locator('[data-block][data-shape=sheet]'))
    await designer.key('Shift+?')
    const sheet = designer.page.getByRole('dialog', { name: 'Keyboard' })
    await sheet.getByText('This sheet').waitFor()
    await designer.key('Escape')
    await count(sheet, 0)
    await designer.key('Delete')
    await count(note, 0)
  })
})
