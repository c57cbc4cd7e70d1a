import { expect, test } from 'vitest'
import { eventually, inBrowser, LONG, visit } from './browser.ts'
import { makeMessages, openConsole } from './console-world.ts'
import { violations } from './violations.ts'

const MESSAGES = 3

interface Message {
  readonly id: string
  readonly revision: number
  readonly code: string
  readonly message: string
}

inBrowser('imports of a list', { timeout: LONG }, async () => {
  const { admin, page } = await openConsole()
  await makeMessages(admin, MESSAGES)

  const totalOf = async (query: string): Promise<unknown> => (await admin.get(`/localemessage?${query}`)).body.total
  const messages = async (query: string) =>
    (await admin.get(`/localemessage?${query}`)).body.items as unknown as readonly Message[]

  test('shows what an import would do to each row, refuses it as a whole, and writes it once [P-111]', async () => {
    const [first, second] = await messages('sort=code')
    if (first === undefined || second === undefined) throw new Error('No messages')
    const header = 'id,revision,code,locale,namespace,message'
    const changedRow = `${first.id},${first.revision},${first.code},pt,geral,"Bom dia, mundo"`
    const sameRow = `${second.id},${second.revision},${second.code},pt,geral,${second.message}`
    const choose = (rows: readonly string[]) =>
      page.getByLabel('Choose a CSV file').setInputFiles({
        name: 'mensagens.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from([header, ...rows, ''].join('\r\n')),
      })
    await visit(page, '/botadmin/localemessage/search')
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import locale messages' })
    await choose([changedRow, sameRow, ',,code.new,xx,geral,Novo'])
    await dialog.getByText('Nothing is written while a row is refused.').waitFor()
    await dialog.getByText('Row 3', { exact: true }).waitFor()
    await dialog.getByText('Language: ', { exact: true }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Import 1 row' }).isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    expect(await totalOf('search=code.new')).toBe(0)

    await choose([changedRow, sameRow, ',,code.new,pt,geral,Novo'])
    await dialog.getByText('Nothing is written yet.').waitFor()
    await dialog.getByRole('button', { name: '1 new' }).waitFor()
    await dialog.getByRole('button', { name: '1 unchanged' }).waitFor()
    await dialog.getByRole('button', { name: '1 changed' }).click()
    await dialog.getByText('Bom dia, mundo').waitFor()
    await dialog.getByText(first.message, { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await totalOf('search=code.new')).toBe(0)
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('Locale messages imported: 1 new, 1 changed').waitFor()
    await page.getByRole('status').filter({ hasText: 'Import: 2 done.' }).waitFor()
    await eventually(async () => (await messages('sort=code'))[0]?.message).toBe('Bom dia, mundo')
    expect(await totalOf('search=code.new')).toBe(1)

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').filter({ hasText: 'Undo: 2 done.' }).waitFor()
    expect((await messages('sort=code'))[0]?.message).toBe(first.message)
    expect(await totalOf('search=code.new')).toBe(0)
  })

  test('shows item by item what an import does to a list, and where an item is wrong [P-450]', async () => {
    const { id: bot } = (await admin.post('/bot', { name: 'Pares' })).body
    const values = [{ value: 'SP', title: 'São Paulo' }, { value: 'RJ' }]
    const { id } = (await admin.post('/entityvaluepair', { bot, name: 'Estados', entity: 'estado', values })).body
    await visit(page, `/botadmin/entityvaluepair/search?pid=${bot}`)
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import entity value pairs' })
    const choose = (items: readonly object[]) =>
      page.getByLabel('Choose a CSV file').setInputFiles({
        name: 'pares.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`id,revision,values\r\n${id},1,"${JSON.stringify(items).replaceAll('"', '""')}"\r\n`),
      })
    await choose([{ value: 'SP', title: 'São Paulo' }, { title: 'Rio' }])
    await dialog.getByText('Row 1', { exact: true }).waitFor()
    await dialog.getByText('Values › Item 2 › Value:').waitFor()
    await choose([{ value: 'SP', title: 'Sampa' }, { value: 'RJ' }])
    await dialog.getByRole('button', { name: '1 changed' }).click()
    await dialog.getByText('Values › Item 1 › Title').waitFor()
    await dialog.getByText('Sampa').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Import 1 row' }).click()
    const titles = async () => (await admin.get(`/entityvaluepair/${id}`)).body.values as unknown as { title: string }[]
    await eventually(async () => (await titles())[0]?.title).toBe('Sampa')
  })

  test('says which columns of a file are unknown, and that a file is empty', async () => {
    await visit(page, '/botadmin/localemessage/search')
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import locale messages' })
    const choose = (text: string) =>
      page
        .getByLabel('Choose a CSV file')
        .setInputFiles({ name: 'foto.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('code,colour\r\na,b\r\n')
    await dialog.getByRole('alert').getByText('colour').waitFor()
    await choose('')
    await dialog.getByRole('alert').getByText('The file is empty.').waitFor()
  })
})
