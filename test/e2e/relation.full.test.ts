import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { count, eventually, fitsWithin, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { violations } from './violations.ts'

inBrowser('things that refer to each other', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole({ window: { width: 1440 } })

  const make = (entity: string, fields: object) => admin.create(entity, fields)
  const roleNamed = (name: string) => make('role', { name, actions: ['readbot'], services: [] })

  test('a reference is found by typing and chosen by the keyboard alone, beyond the first hundred', async () => {
    await Promise.all(Array.from({ length: 120 }, (_, index) => roleNamed(`Papel ${String(index).padStart(3, '0')}`)))
    const group = await make('usergroup', { name: 'Atendimento', roles: [] })
    await visit(page, `/botadmin/usergroup/${group}`)
    const picker = page.getByRole('combobox', { name: 'Roles', exact: true })
    await picker.focus()
    await page.keyboard.type('papel 117')
    await count(page.getByRole('option'), 1)
    await eventually(() => page.getByRole('option').innerText()).toContain('Papel 117')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await count(page.getByRole('listbox'), 0)
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /^Papel 000/u }).waitFor()
    await page.keyboard.type('papel 118')
    await eventually(() => page.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('Papel 118')])
    await page.keyboard.press('Enter')
    await page
      .getByRole('button', { name: 'Remove Papel 118' })
      .or(page.getByLabel(/Papel 118/u))
      .first()
      .waitFor()
    await page.keyboard.press('Control+s')
    await eventually(async () => ((await admin.get(`/usergroup/${group}`)).body.roles as string[]).length).toBe(1)
  })

  test('creates a missing entity in the picker and selects it', async () => {
    const { id } = (
      await admin.post('/user', {
        username: 'lia',
        email: 'lia@example.com',
        usergroup: [],
        password: 'Parley-2026!',
      })
    ).body
    await visit(page, `/botadmin/user/${id}`)
    const picker = page.getByRole('combobox', { name: 'User group', exact: false }).first()
    await picker.fill('Plantão')
    await page.getByRole('option', { name: 'Create “Plantão”' }).click()
    await page.getByRole('button', { name: /Plantão/u }).waitFor()
    await page.keyboard.press('Control+s')
    await eventually(async () => ((await admin.get(`/user/${id}`)).body.usergroup as string[]).length).toBe(1)
    const [made] = (await admin.get('/usergroup?search=plantao')).body.items
    expect((await admin.get(`/user/${id}`)).body.usergroup).toEqual([made?.id])
  })

  test('a list asks for the names in its reference columns in one call', async () => {
    const bot = await make('bot', { name: 'Hotel' })
    const task = await make('dialogtask', { name: 'Reservas', bot })
    for (const name of ['um', 'dois', 'tres']) {
      const dialog = await make('dialog', { name: `Diálogo ${name}`, dialogtask: task })
      await make('variable', { name, bot, task, dialog })
    }
    const asked: string[] = []
    const listen = (url: string, method: string) => {
      const path = new URL(url).pathname.replace('/botadmin/api', '')
      if (/^\/(names|variable|dialog|dialogtask|bot)(\/|$)/u.test(path)) asked.push(`${method} ${path}`)
    }
    page.on('request', request => listen(request.url(), request.method()))
    await page.goto(`/botadmin/bot/settings/variable/${bot}`)
    await page.getByText('Diálogo dois').first().waitFor()
    page.removeAllListeners('request')
    expect(asked.filter(call => call === 'POST /names')).toHaveLength(1)
    expect(asked.filter(call => /^GET \/(dialog|dialogtask)\//u.test(call))).toEqual([])
  })

  test('a page says what uses the thing, and a removal that is refused lists it, each with a link', async () => {
    const role = await roleNamed('Leitor')
    const groups = ['Manhã', 'Tarde']
    const ids = await Promise.all(groups.map(name => make('usergroup', { name, roles: [role] })))
    await visit(page, `/botadmin/role/${role}`)
    const section = page.getByRole('region', { name: 'Used by' })
    await count(section.getByRole('listitem'), 2)
    await section.getByText('User groups · 2').waitFor()
    expect(await section.getByRole('link', { name: 'Manhã' }).getAttribute('href')).toContain(`/usergroup/${ids[0]}`)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'More actions for Leitor' }).click()
    await page.getByRole('menuitem', { name: /^Delete|^Remove/u }).click()
    await page.getByRole('textbox').last().fill('CONFIRM')
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: /^Delete|^Remove/u })
      .click()
    await page.getByText('It is still used in 2 places').waitFor()
    await page.getByRole('link', { name: 'User group Tarde' }).waitFor()
  })

  test('names the field cleared of a deleted reference after a restore [P-160]', async () => {
    const role = await roleNamed('Passageiro')
    const group = await make('usergroup', { name: 'Efêmero', roles: [role] })
    await admin.delete(`/usergroup/${group}`, { confirm: 'CONFIRM' })
    expect((await admin.delete(`/role/${role}`, { confirm: 'CONFIRM' })).status).toBe(200)
    await visit(page, '/botadmin/usergroup/search?removed=true')
    await page
      .getByRole('row', { name: /Efêmero/u })
      .getByRole('button', { name: 'Bring it back' })
      .click()
    await page.getByText('Efêmero is back').waitFor()
    await page.getByText('References to deleted things were cleared: Roles').waitFor()
    expect(await violations(page)).toEqual([])
    expect((await admin.get(`/usergroup/${group}`)).body.roles).toEqual([])
  })

  test('a picker fits a phone', async () => {
    const phone = await openWindow(browser, parley, {
      ...{ username: 'admin', password: ADMIN_PASSWORD, width: 390, height: 844 },
    })
    const group = await make('usergroup', { name: 'Bolso', roles: [] })
    await visit(phone, `/botadmin/usergroup/${group}`)
    await phone.getByRole('combobox', { name: 'Roles', exact: true }).click()
    const option = phone.getByRole('option').first()
    await option.waitFor()
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await fitsWithin(phone, 390)
    expect(await violations(phone)).toEqual([])
    await phone.context().close()
  })
})
