import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, type Client } from '#test/api/harness.ts'
import { level, PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, focused, holdBack, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { axeViolations } from './violations.ts'

const CODE_SAMPLES = ['readcodesample', 'createcodesample', 'updatecodesample', 'deletecodesample', 'showcodesample']

inBrowser('the console around the designer', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  const south = await level(admin, 'Sul')
  await person(parley, admin, { username: 'ana', level: root, actions: CODE_SAMPLES })

  const sampleNamed = async (name: string) => {
    const [found] = (await admin.get(`/codesample?search=${encodeURIComponent(name)}`)).body.items
    return found as unknown as { id: string; revision: number; description: string | null } | undefined
  }

  test('something is made, changed and brought back field by field in the generated form', async () => {
    await visit(page, '/botadmin/codesample/search')
    await page
      .getByRole('link', { name: 'New code sample' })
      .or(page.getByRole('button', { name: 'New code sample' }))
      .first()
      .click()
    await page.getByRole('button', { name: /^Create/ }).click()
    await page.getByText('Please correct the following error(s)').waitFor()
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await focused(name)
    await name.fill('Máscara de CPF')
    await page.getByLabel('Description', { exact: true }).fill('Mostra pontos e traço')
    await page.getByRole('button', { name: /^Create/ }).click()
    await page.getByRole('heading', { name: 'Máscara de CPF', level: 1 }).waitFor()

    const description = page.getByLabel('Description', { exact: true })
    await description.fill('Esconde o meio')
    await page.getByText('1 unsaved change').waitFor()
    await page.keyboard.press('Control+s')
    await eventually(async () => (await sampleNamed('Máscara'))?.description).toBe('Esconde o meio')
    await count(page.getByText('1 unsaved change'), 0)

    await page.getByRole('button', { name: 'History', exact: true }).click()
    const history = page.getByRole('complementary', { name: 'History' })
    await history.getByRole('listitem').first().getByRole('button').first().click()
    await history.getByText('Mostra pontos e traço').first().waitFor()
    await history.getByRole('button', { name: 'Restore it' }).click()
    await eventually(() => description.inputValue()).toBe('Mostra pontos e traço')
    expect((await sampleNamed('Máscara'))?.revision).toBe(3)
  })

  test('creates a task and a dialog outside a bot: the form asks for the parent with the other required fields', async () => {
    const bot = (await admin.post('/bot', { name: 'Hotel Aurora' })).body.id
    for (const [entity, parent] of [
      ['dialogtask', 'Bot'],
      ['dialog', 'Task'],
    ] as const) {
      await visit(page, `/botadmin/${entity}/new`)
      await page.getByRole('button', { name: /^Create/ }).click()
      const list = page.getByRole('combobox', { name: parent, exact: true })
      await focused(list)
      await count(page.getByText('This is required: choose one', { exact: true }), 1)
      await count(page.getByText('This is required', { exact: true }), 1)
      const wanted = entity === 'dialog' ? 'Reservas' : 'Hotel Aurora'
      await list.fill(wanted)
      await page.getByRole('option', { name: wanted }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Reservas')
      await page.getByRole('button', { name: /^Create/ }).click()
      await page.waitForURL(entity === 'dialog' ? /designer\/dialog\/[\w-]{36}/u : new RegExp(`pid=${bot}`, 'u'))
    }
  })

  test('two people change one field: both values are shown with who changed it, and one is chosen [P-593]', async () => {
    const id = (await sampleNamed('Máscara'))?.id
    await visit(page, `/botadmin/codesample/${id}`)
    await page.getByLabel('Description', { exact: true }).fill('Do administrador')
    const ana = await parley.signIn('ana', `${PASSWORD}x`)
    const change = async (of: Client, fields: object) => {
      const { revision } = (await of.get(`/codesample/${id}`)).body
      expect((await of.patch(`/codesample/${id}`, fields, Number(revision))).status).toBe(200)
    }
    await change(ana, { description: 'Da Ana' })
    // The newest change is of another person and another field.
    await change(admin, { code: '1 + 1' })

    await page.keyboard.press('Control+s')
    const dialog = page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .filter({ hasText: 'Two people changed Description' })
    await dialog.locator('label').filter({ hasText: 'Da Ana' }).getByText('ana, ').waitFor()
    await dialog.getByText('Do administrador').waitFor()
    await dialog.getByText('Mostra pontos e traço').waitFor()
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await eventually(async () => (await sampleNamed('Máscara'))?.description).toBe('Do administrador')
  })

  test('asks before leaving a changed form: staying keeps the input, leaving opens the chosen page [C-4.20]', async () => {
    const id = (await sampleNamed('Máscara'))?.id
    await visit(page, `/botadmin/codesample/${id}`)
    await page.getByLabel('Description', { exact: true }).fill('Não guardado')
    await page
      .getByRole('link', { name: /^Bots( \d+)?$/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Stay' }).click()
    expect(new URL(page.url()).pathname).toBe(`/botadmin/codesample/${id}`)
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('Não guardado')
    await page
      .getByRole('link', { name: /^Bots( \d+)?$/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor()
  })

  test('a person who opens another page while a removal is under way stays there [P-1500]', async () => {
    const { id } = (await admin.post('/codesample', { name: 'Efêmero', code: 'x' })).body
    await visit(page, `/botadmin/codesample/${id}`)
    await page.getByRole('button', { name: 'More actions for Efêmero' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
    const release = await holdBack(page, new RegExp(`/codesample/${id}$`, 'u'))
    const act = page.getByRole('button', { name: 'Delete', exact: true })
    await act.click()
    // A busy button keeps its name.
    await page.locator('button[data-loading]').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await visit(page, '/botadmin/bot/search')
    release()
    await page.getByText('Efêmero was deleted').waitFor()
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/botadmin/bot/search')
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('a page that is being left takes no click back: the page that was chosen comes [P-2226]', async () => {
    const bot = (await admin.post('/bot', { name: 'Partida' })).body.id
    const { id } = (await admin.post('/dialogtask', { bot, name: 'Embarque' })).body
    const other = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    // The page completes its address once it has read the task.
    const answer = await holdBack(other, new RegExp(`/api/dialogtask/${id}$`, 'u'))
    await other.goto(`/botadmin/dialogtask/${id}`)
    const code = await holdBack(other, /\/audit-page-/u)
    const asked = other.waitForRequest(/\/audit-page-/u)
    await other.getByRole('link', { name: 'Audit', exact: true }).first().click()
    await asked
    answer()
    await other.getByRole('heading', { name: 'Embarque', level: 1 }).waitFor()
    code()
    await other.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    expect(new URL(other.url()).pathname).toBe('/botadmin/audit')
    await other.context().close()
  })

  test('a bot goes only when CONFIRM is typed, and is brought back from its own page [C-5.16]', async () => {
    const { id } = (await admin.post('/bot', { name: 'Passageiro' })).body
    const [bilhete, viagem] = await Promise.all(
      ['Bilhete', 'Viagem'].map(async name => {
        const task = (await admin.post('/dialogtask', { bot: id, name })).body.id
        return { task, dialog: (await admin.post('/dialog', { dialogtask: task, name })).body.id }
      }),
    )
    await admin.post('/variable', { bot: id, name: 'assento' })
    const way = { type: 'gototask', title: '', top: 0, left: 0, properties: { task: bilhete?.task, taskdialog: '' } }
    const flow = { format: 'parley-flow', version: 1, operators: { way }, links: {} }
    expect((await admin.put(`/dialog/${viagem?.dialog}/flow`, flow)).status).toBe(200)

    // The dialog counts contained entities and references.
    await visit(page, `/botadmin/dialogtask/${bilhete?.task}?edit`)
    await page.getByRole('button', { name: 'More actions for Bilhete' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('takes 1 dialog with it. 1 block elsewhere leads to it: change that block first.').waitFor()
    await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
    await page.keyboard.press('Enter')
    await page.getByText('It is still used in one place').waitFor()
    await page.getByRole('link', { name: 'Dialog Viagem' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await visit(page, `/botadmin/bot/${id}`)
    await page.getByRole('button', { name: 'More actions for Passageiro' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('takes 2 tasks with all that is in them and 1 variable with it.').waitFor()
    const act = page.getByRole('button', { name: 'Delete', exact: true })
    const word = page.getByLabel('Type CONFIRM to go on')
    await word.fill('confirm')
    expect(await act.isDisabled()).toBe(true)
    await word.fill('CONFIRM')
    await act.click()
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor()
    expect((await admin.get(`/bot/${id}`)).status).toBe(404)

    await visit(page, `/botadmin/bot/${id}`)
    await page.getByText(/^Deleted by/).waitFor()
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await eventually(async () => (await admin.get(`/bot/${id}`)).status).toBe(200)
    await count(page.getByText(/^Deleted by/), 0)
  })

  test('in Portuguese the word to type is CONFIRMAR [C-5.17]', async () => {
    const { id } = (await admin.post('/bot', { name: 'Efêmero' })).body
    const speak = async (present: RegExp, next: string) => {
      await page.getByRole('button', { name: present }).click()
      await page.getByRole('menuitemradio', { name: next }).click()
    }
    await visit(page, '/botadmin/codesample/search')
    await speak(/^Language: English$/u, 'Português')
    await visit(page, `/botadmin/bot/${id}`)
    await page.getByRole('button', { name: 'Mais ações de Efêmero' }).click()
    await page.getByRole('menuitem').last().click()
    const box = page.getByLabel(/CONFIRMAR/)
    await box.fill('CONFIRMAR')
    await box.press('Enter')
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor()
    expect((await admin.get(`/bot/${id}`)).status).toBe(404)
    await speak(/: Português$/u, 'English')
    await page.getByRole('heading', { name: 'Bots', level: 1 }).waitFor()
  })

  test('the level is switched in the toolbar, and lists follow it [C-1.09]', async () => {
    await admin.post('/codesample', { name: 'Só no Sul', hierarchylevel: south })
    await visit(page, '/botadmin/codesample/search')
    await page.getByRole('link', { name: 'Máscara de CPF' }).waitFor()
    await page.getByRole('button', { name: /^Hierarchy level: / }).click()
    const tree = page.getByRole('dialog', { name: 'Hierarchy level' })
    await tree.getByRole('treeitem', { name: 'Sul' }).click()
    await tree.getByRole('button', { name: 'OK' }).click()
    await page.getByText('You now work in Sul').waitFor()
    await page.waitForURL(/\/bot\/search/)
    await visit(page, '/botadmin/codesample/search')
    await page.getByRole('link', { name: 'Só no Sul' }).waitFor()
    await count(page.getByRole('link', { name: 'Máscara de CPF' }), 0)
    await page.getByRole('button', { name: /^Hierarchy level: / }).click()
    await tree.getByRole('treeitem').first().click()
    await tree.getByRole('button', { name: 'OK' }).click()
    await page.waitForURL(/\/bot\/search/)
    await visit(page, '/botadmin/codesample/search')
    await page.getByRole('link', { name: 'Máscara de CPF' }).waitFor()
  })

  test('the audit is filtered, each line opens to before and after, and what is filtered is exported [C-2.22] [C-3.44]', async () => {
    await visit(page, '/botadmin/audit')
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    const id = (await sampleNamed('Máscara'))?.id
    await visit(page, '/botadmin/audit?entity=codesample&action=changed')
    const lines = page.getByRole('button', { name: /^Máscara de CPF at / })
    await eventually(() => lines.count()).toBeGreaterThanOrEqual(3)
    await lines.first().click()
    await page.getByText('Do administrador').first().waitFor()
    await page.getByText('Da Ana').first().waitFor()

    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'JSON Lines' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    const rows = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { entity: string; entityid: string; action: string })
    expect(rows.length).toBeGreaterThanOrEqual(3)
    expect(new Set(rows.map(({ entity, action }) => `${entity} ${action}`))).toEqual(new Set(['codesample changed']))
    expect(rows.map(({ entityid }) => entityid)).toContain(id)
    await eventually(async () => (await admin.get('/audit?entity=audit')).body.total).toBeGreaterThan(0)
  })

  test('a person sees the menu entries they may use, and nothing by typing the address of others [C-6.04] [C-6.08] [C-6.12]', async () => {
    const ana = await openWindow(browser, parley, { username: 'ana', password: `${PASSWORD}x` })
    await ana.goto('/botadmin/')
    const menu = ana.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Code Samples' }).waitFor()
    for (const name of ['Bots', 'Admin', 'Audit', 'Application Settings', 'Bot Messages'])
      await count(menu.getByRole('link', { name, exact: true }), 0)
    await ana.goto('/botadmin/bot/search')
    await ana.getByText('You are not authorized!!!').waitFor()
    for (const path of ['user/search', 'audit', 'hierarchy', 'role/search', 'globalvariable/search']) {
      await visit(ana, `/botadmin/${path}`)
      expect(new URL(ana.url()).pathname).toBe(`/botadmin/${path}`)
      await ana.getByText('You are not authorized!!!').waitFor()
    }
    await visit(ana, '/botadmin/nowhere/at/all')
    await ana.getByText('This page could not be found.').waitFor()
    await ana.context().close()
  })

  test('the home page says what others changed since the last visit; on a phone what needs the person comes first [P-2092] [P-2093]', async () => {
    await visit(page, '/botadmin/')
    const changes = page.getByRole('region', { name: 'Recent changes' })
    await changes.waitFor()
    const moment = Date.now()
    const ana = await parley.signIn('ana', `${PASSWORD}x`)
    expect((await ana.post('/codesample', { name: 'Da Ana', code: '1' })).status).toBe(201)
    await page.evaluate(time => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith('parley.visit.')) localStorage.setItem(key, `${Date.now()} ${time}`)
    }, moment)
    await page.reload()
    await page.getByText('1 change by 1 person since your last visit').waitFor()
    await changes.getByText('Before your last visit').waitFor()
    const lines = await changes.getByRole('listitem').allTextContents()
    expect(lines[0]).toContain('Da Ana')
    expect(lines[1]).toBe('Before your last visit')

    const [{ id } = { id: '' }] = (await admin.get('/user?search=ana')).body.items
    expect((await admin.post(`/user/${id}/lock`, {})).status).toBe(200)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.getByText('1 user is locked').waitFor()
    const top = async (name: string) => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y ?? 0
    const isFirst = async () => (await top('Needs you')) < (await top('Recent changes'))
    await eventually(isFirst).toBe(true)
    await page.setViewportSize({ width: 1440, height: 900 })
    await eventually(isFirst).toBe(true)
    expect((await admin.post(`/user/${id}/unlock`, {})).status).toBe(200)
    await page.getByRole('link', { name: 'Show them in the audit' }).click()
    await eventually(() => new URL(page.url()).searchParams.get('from')).toBe(new Date(moment).toISOString())
  })

  test('keys alone lead from page to page: the palette, the search of a list, its rows', async () => {
    await visit(page, '/botadmin/')
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: 'Search or jump to…' })
    await palette.waitFor()
    await page.keyboard.type('code samples')
    await page.getByRole('option', { name: /^Code Samples/ }).waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('heading', { name: 'Code Samples', level: 1 })
      .or(page.getByRole('heading', { name: 'Code samples', level: 1 }))
      .waitFor()
    await page.getByRole('link', { name: 'Só no Sul' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('mascara')
    await count(page.getByRole('link', { name: 'Só no Sul' }), 0)
    await eventually(() => page.url()).toContain('search=mascara')
    await page.getByRole('link', { name: 'Máscara de CPF' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Máscara de CPF', level: 1 }).waitFor()
    await page.keyboard.press('h')
    await page.getByRole('complementary', { name: 'History' }).waitFor()
    await page.keyboard.press('Escape')
    await count(page.getByRole('complementary', { name: 'History' }), 0)

    await page.keyboard.press('Control+k')
    await page.keyboard.type('mascara')
    await page
      .getByRole('option', { name: /Máscara de CPF/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await count(palette, 0)
  })
})
