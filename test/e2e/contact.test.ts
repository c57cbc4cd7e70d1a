import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCampaign } from '#test/api/campaign.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, fitsWithin, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { violations } from './violations.ts'

const ADMIN = { username: 'admin', password: ADMIN_PASSWORD } as const

const FILE = [
  'Paciente;Celular;Especialidade;Cartão SUS',
  'Luana Freitas;(12) 90000-4410;CLINICA GERAL;898 0001',
  'Roberto Maia;11 98765-4321;Pediatria;898 0002',
  'Ana Clara;90000-0093;Odontologia;898 0003',
  'Paulo Viana;90000-5518;Odontologia;898 0004',
  'Neide Ramos;+55 12 9000;Pediatria;898 0005',
].join('\r\n')

const csv = (text: string, name = 'consultas.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

inBrowser('the contacts of a campaign', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  let page: Page
  let campaign: string
  beforeAll(async () => {
    campaign = await makeCampaign(admin, 'lembrete')
    const mapping = [
      { variable: '1', source: 'nome' },
      { variable: '2', source: 'field03' },
    ]
    const { revision } = (await admin.get(`/campaign/${campaign}`)).body
    expect((await admin.patch(`/campaign/${campaign}`, { mapping }, revision)).status).toBe(200)
    page = await openWindow(browser, parley, ADMIN)
  }, LONG)

  describe('a file of contacts', () => {
    let other: string
    beforeAll(async () => {
      other = await makeCampaign(admin, 'aviso')
      await page.setViewportSize({ width: 1440, height: 900 })
    })
    afterAll(() => page?.setViewportSize({ width: 1680, height: 1000 }))

    test('is refused over 1 MB, else its columns are linked and unused columns are named [C-2.62] [P-1386] [P-2815]', async () => {
      await visit(page, `/botadmin/campaignmanagement/contact/${other}`)
      await page.getByRole('link', { name: 'Send a file' }).first().click()
      const input = page.locator('input[type=file]')
      await input.setInputFiles(csv('x'.repeat(1_048_577)))
      await page.getByText('File is too big , max is 1MB').waitFor()
      await input.setInputFiles(csv(FILE))
      const columns = page.getByRole('region', { name: 'Columns' })
      await columns.getByText('2 of 4 linked').waitFor()
      expect(await columns.getByLabel('What “Paciente” is').inputValue()).toBe('nome')
      await columns.getByLabel('What “Especialidade” is').selectOption({ label: 'Field 1' })
      await columns.getByText('Cartão SUS is not used', { exact: false }).waitFor()
      await page.getByText('3 lines are not valid, so nothing goes in', { exact: false }).waitFor()
      expect(await page.getByRole('button', { name: 'Add contacts' }).isDisabled()).toBe(true)
      expect(await violations(page)).toEqual([])
    })

    test('shows what is kept and what was read, and is mended in place or all alike at once [P-1387]', async () => {
      const rows = page.getByRole('region', { name: 'Dry run, line by line' })
      const luana = rows.getByRole('row').filter({ hasText: 'Luana Freitas' })
      await luana.getByText('+5512900004410').waitFor()
      await luana.locator('del').getByText('(12) 90000-4410').waitFor()
      await rows.getByRole('button', { name: 'Not in 3' }).click()
      await count(rows.getByRole('rowheader'), 3)
      await rows.getByRole('button', { name: 'Fix here line 6' }).click()
      await rows.getByLabel('Phone in line 6').fill('12 98000-7702')
      await page.keyboard.press('Enter')
      await page.getByText('2 lines are not valid', { exact: false }).waitFor()
      const alike = page.getByRole('region', { name: 'Same error' })
      await alike.getByLabel('Area code').fill('12')
      await alike.getByRole('button', { name: 'Put before all' }).click()
      await page.getByText('5 contacts go into aviso.').waitFor()
      await count(alike, 0)
    })

    test('is taken in, and its page tells each step and what came of it [C-2.63] [D-3.8.01] [D-4.10] [P-1388]', async () => {
      await page.getByRole('button', { name: 'Add 5 contacts' }).click()
      await page.getByRole('heading', { name: 'consultas.csv' }).waitFor()
      await page.getByRole('status').getByText('Succeeded').waitFor()
      const steps = page.getByRole('region', { name: 'Steps' })
      await count(steps.getByRole('listitem'), 3)
      await page.getByRole('definition').filter({ hasText: /^5$/u }).first().waitFor()
      expect(await violations(page)).toEqual([])
      await page.getByRole('main').getByRole('link', { name: 'Contacts' }).last().click()
      await page.getByRole('rowheader', { name: 'Neide Ramos' }).waitFor()
    })

    test('is named by its columns in the steps of the campaign [P-2988]', async () => {
      const { metaaccount, revision } = (await admin.get(`/campaign/${other}`)).body
      const words = { body: 'Oi, {{1}}!', params: [{ name: '1', example: 'Ana' }] }
      const kind = { language: 'pt_BR', category: 'utility', templateType: 'TEXT' }
      const template = (await admin.post('/template', { metaaccount, templateName: 'ola', ...kind, ...words })).body.id
      expect((await admin.patch(`/campaign/${other}`, { template }, revision)).status).toBe(200)
      await visit(page, `/botadmin/campaignmanagement/campaign/create?campaign=${other}&step=contacts`)
      const from = page.getByRole('combobox', { name: 'Filled with' }).first()
      await from.getByText('column C · Especialidade').waitFor({ state: 'attached' })
      const offered = ['column A · Name', 'column C · Especialidade', 'Field 2', 'Fixed text']
      expect(await from.locator('option').allTextContents()).toEqual(expect.arrayContaining(offered))
      expect(await violations(page)).toEqual([])
    })

    test('is accepted in part with the rest as a file; reports a repeated file [P-1388] [P-1389]', async () => {
      const text = 'nome;telefone\nMarta Teles;12 98000-2260\nSem número;1\n'
      await visit(page, `/botadmin/campaignmanagement/contact/map/${other}`)
      await page.locator('input[type=file]').setInputFiles(csv(text, 'outros.csv'))
      await page.getByRole('switch', { name: 'Accept in part' }).click()
      await page.getByText('1 contact goes into aviso.', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Add 1 contact' }).click()
      await page.getByRole('status').getByText('Partly added').waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Rejected lines' }).click()
      expect((await download).suggestedFilename()).toContain('outros.csv')
      await visit(page, `/botadmin/campaignmanagement/contact/map/${other}`)
      await page.locator('input[type=file]').setInputFiles(csv(text, 'outros.csv'))
      await page.getByText('This file was sent on', { exact: false }).waitFor()
      await fitsWithin(page, 1440)
    })

    test('is taken by the rules of a profile, from its page on [C-2.57] [D-3.7.01] [D-3.7.02] [P-1389]', async () => {
      const made = await admin.post('/campaignuploadprofile', {
        name: 'Agenda',
        campaign_id: other,
        transformation_post_rule: '{"phone": fone, "nome": $uppercase(quem)}',
        partial_upload_allowed: true,
      })
      expect(made.status, made.text).toBe(201)
      await page.setViewportSize({ width: 390, height: 844 })
      await visit(page, `/botadmin/campaignuploadprofile/${made.body.id}`)
      await page.getByRole('link', { name: 'Send a file' }).click()
      await page.locator('input[type=file]').setInputFiles(csv('quem;fone\nKarina;12 98000-3391\n', 'agenda.csv'))
      await page.getByRole('heading', { name: 'Rules of the profile' }).waitFor()
      expect(await page.getByLabel('Profile').inputValue()).toBe(made.body.id)
      await page.getByText('1 contact goes into aviso.', { exact: false }).waitFor()
      expect(await violations(page)).toEqual([])
      await fitsWithin(page, 390)
      await page.getByRole('button', { name: 'Add 1 contact' }).click()
      await page.getByRole('status').getByText('Succeeded').waitFor()
      const { items } = (await admin.get(`/contact?campaign=${other}`)).body
      expect(items[0]).toMatchObject({ nome: 'KARINA' })
    })
  })

  test('are added by hand, with what the template needs first [C-2.62] [D-9.24] [P-1383] [P-2815]', async () => {
    await visit(page, `/botadmin/bot/campaign/contact/${campaign}`)
    await page.waitForURL(`**/campaignmanagement/contact/${campaign}`)
    await page.getByText('No contacts yet').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Add contact' }).first().click()
    await page.getByText('Fills {{2}} of the template').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('A phone number is required').waitFor()
    await page.getByLabel('Phone').fill('5,51E+12')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('A spreadsheet has rounded this number', { exact: false }).waitFor()
    await page.getByLabel('Phone').fill('12 90000-4410')
    await page.getByLabel('Name', { exact: true }).fill('Luana Freitas')
    await page.getByLabel('Field 3', { exact: true }).fill('24/11/2026 8h20')
    await page.getByRole('button', { name: 'Add and go on' }).click()
    await page.getByText('Added.').waitFor()
    await page.getByLabel('Phone').fill('+55 11 98765-4321')
    await page.getByLabel('Name', { exact: true }).fill('Roberto Maia')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'Roberto Maia' }).waitFor()
    await page.getByRole('cell', { name: '+5511987654321' }).waitFor()
    await page.getByRole('columnheader', { name: 'Field 3', exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('leave as a file, with the right to export them [P-2634]', async () => {
    await visit(page, `/botadmin/campaignmanagement/contact/${campaign}`)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('main').getByRole('link', { name: 'Export' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('contacts.csv')
    const { items } = (await admin.get(`/contact?campaign=${campaign}`)).body
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(items.length + 1)
    expect(lines[1]).toContain(String(items.at(-1)?.phone))
  })

  test('are found by a part of name or number, which stays out of the address [P-1384]', async () => {
    const search = page.getByRole('searchbox', { name: 'Name or number' })
    await search.fill('freit')
    await page.getByRole('rowheader', { name: 'Luana Freitas' }).waitFor()
    await count(page.getByRole('rowheader'), 1)
    await page.getByText('1 contact found').waitFor()
    expect(page.url()).not.toContain('freit')
    await search.fill('nobody')
    await page.getByText('No contact matches').waitFor()
    await search.fill('')
    await count(page.getByRole('rowheader'), 2)
  })

  test('are changed, taken out, and forgotten for good [C-2.62] [P-1385]', async () => {
    await page.getByRole('button', { name: 'Luana Freitas', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Edit contact' })
    await form.getByLabel('Name', { exact: true }).fill('Luana F. Souza')
    expect(await violations(page)).toEqual([])
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('rowheader', { name: 'Luana F. Souza' }).waitFor()

    await page.getByRole('button', { name: 'More about Roberto Maia' }).click()
    await page.getByRole('menuitem', { name: 'Remove from the campaign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await count(page.getByRole('rowheader'), 1)

    await page.getByRole('button', { name: 'More about Luana F. Souza' }).click()
    await page.getByRole('menuitem', { name: 'Forget this person' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Forget Luana F. Souza?' })
    await asked.getByLabel(/Type CONFIRM/u).fill('CONFIRM')
    expect(await violations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Forget' }).click()
    await asked.waitFor({ state: 'detached' })
    await count(page.getByText('Luana'), 0)
  })

  test('are kept in lists, chosen by rules in words, and given to a campaign [P-2763]', async () => {
    const made = async (path: string, body: object) => (await admin.post(path, body)).body.id
    const list = await made('/contactlist', { name: 'Clientes da loja' })
    const people = ['Bia', 'Caio', 'Davi', 'Eva'].map((nome, at) => ({
      ...{ phone: `+55${at < 2 ? '11' : '21'}98700000${at}`, nome },
      field01: at === 3 ? 'Recife' : 'Santos',
    }))
    expect((await admin.post(`/contact/bulk?list=${list}`, people)).body.added).toBe(4)
    await visit(page, '/botadmin/contactlist/search')
    await page.getByText('4 people').waitFor()
    await page.getByRole('link', { name: 'Clientes da loja' }).first().click()
    await page.getByRole('checkbox', { name: 'Choose Davi' }).check()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove 1', exact: true }).click()
    const asked = page.getByRole('alertdialog', { name: 'Remove 1 person?' })
    await asked.getByLabel(/Type CONFIRM/u).fill('CONFIRM')
    await asked.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('1 person removed.').waitFor()
    await count(page.getByRole('rowheader'), 3)

    await visit(page, '/botadmin/segment/new')
    await page.getByRole('textbox', { name: /^Name/u }).fill('Santos em São Paulo')
    const first = page.getByRole('combobox', { name: 'Condition 1: Field' })
    await first.selectOption('list')
    await page.getByRole('combobox', { name: 'Condition 1: Value' }).selectOption({ label: 'Clientes da loja' })
    await page.getByText(/^3 people of \d+ contacts$/u).waitFor()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Condition 2: Field' }).selectOption('field01')
    await page.getByRole('combobox', { name: 'Condition 2: Comparison' }).selectOption('is')
    await page.getByText('Fill in all values to see how many people it is').waitFor()
    await page.getByRole('textbox', { name: 'Condition 2: Value' }).fill('santos')
    await page.getByText(/^2 people of \d+ contacts$/u).waitFor()
    await page.getByText('Who: List has the person: Clientes da loja and Field 1 is “santos”').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: /^Create/u }).click()
    const stored = async () => (await admin.get('/segment')).body.items[0]?.rule
    await expect.poll(stored, { timeout: 10_000 }).toEqual({
      all: [
        { field: 'list', op: 'in', value: [list] },
        { field: 'field01', op: 'is', value: 'santos' },
      ],
    })

    await visit(page, `/botadmin/campaignmanagement/campaign/create?campaign=${campaign}&step=contacts`)
    await page.getByRole('combobox', { name: 'Segments' }).fill('Santos')
    await page.getByRole('option', { name: 'Santos em São Paulo' }).click()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('1 list or segment').first().waitFor()
    expect((await admin.get(`/campaign/${campaign}`)).body.segments).toHaveLength(1)
  })

  test('leave a list by conditions, whose number is that of the list alone [P-2719]', async () => {
    const list = (await admin.post('/contactlist', { name: 'Feira' })).body.id
    const people = ['Gil', 'Hugo', 'Iara'].map((nome, at) => ({
      ...{ phone: `+55119870010${at}`, nome, field01: at === 0 ? 'Santos' : 'Recife' },
    }))
    expect((await admin.post(`/contact/bulk?list=${list}`, people)).body.added).toBe(3)
    await visit(page, `/botadmin/contactlist/${list}`)
    await page.getByRole('button', { name: 'Remove by conditions' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove people by conditions' })
    const remove = dialog.getByRole('button', { name: 'Remove these people' })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByRole('combobox', { name: 'Condition 1: Field' }).selectOption('field01')
    await dialog.getByRole('combobox', { name: 'Condition 1: Comparison' }).selectOption('is')
    await dialog.getByRole('textbox', { name: 'Condition 1: Value' }).fill('recife')
    await dialog.getByText('2 people of 3 contacts').waitFor()
    expect(await violations(page)).toEqual([])
    await remove.click()
    const asked = page.getByRole('alertdialog', { name: 'Remove these people from Feira?' })
    await asked.getByLabel(/Type CONFIRM/u).fill('CONFIRM')
    await asked.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('2 people removed.').waitFor()
    await count(page.getByRole('rowheader'), 1)
    await page.getByRole('rowheader', { name: 'Gil' }).waitFor()
  })

  test('are read on a phone, and by who may alone [C-2.62]', async () => {
    await admin.post('/contact', { campaign, phone: '+5511987654321', nome: 'Ana Clara', field03: 'Odontologia' })
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, `/botadmin/campaignmanagement/contact/${campaign}`)
    await page.getByRole('listitem').filter({ hasText: 'Ana Clara' }).getByText('Odontologia').waitFor()
    await fitsWithin(page, 390)
    expect(await violations(page)).toEqual([])

    const level = String((await admin.get('/userhierarchy')).body.hierarchylevel)
    await person(parley, admin, { username: 'rui', level, actions: ['readcampaign', 'readcontact'] })
    const other = await openWindow(browser, parley, { username: 'rui', password: `${PASSWORD}x` })
    await visit(other, `/botadmin/campaignmanagement/contact/${campaign}`)
    await other.getByRole('rowheader', { name: 'Ana Clara' }).waitFor()
    await count(other.getByRole('link', { name: 'Add contact' }), 0)
    await count(other.getByRole('button', { name: /More about/u }), 0)
    await other.context().close()
  })

  test('are stopped by importing an exported list of opted-out numbers [P-2142]', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await visit(page, '/botadmin/campaignmanagement/suppression')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Import opted-out numbers' })
    const choose = async (content: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        dialog.getByRole('button', { name: 'Choose file' }).click(),
      ])
      await chooser.setFiles({ name: 'optouts.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    }
    await choose('time,phone,name\r\n')
    await dialog.getByText('optouts.csv: no line of it is a number.').waitFor()
    await choose("time,phone,name\r\n2026-11-29T03:53:24Z,'+5511987654399,Ana\r\n2026-11-29T03:53:24Z,,\r\n")
    const numbers = dialog.getByRole('textbox', { name: /^Telephone numbers/u })
    await eventually(() => numbers.inputValue()).toBe('+5511987654399')
    await dialog.getByRole('textbox', { name: /^Reason/u }).fill('antiga lista')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByText('1 numbers added, 0 were there before.').waitFor()
    await page.getByText('antiga lista').waitFor()
  })
})
