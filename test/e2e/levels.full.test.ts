import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { botMenu, botScoped } from '#domain/menu.ts'
import { placedEntities } from '#domain/placed-entity.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { level, PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, holdBack, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

inBrowser('levels and the bell', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  const root = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  await level(admin, 'Sul')
  await person(parley, admin, { username: 'ana', level: root, actions: ['readbot', 'showbot'] })

  const levelOf = async () => {
    const answer = await page.context().request.get(`${parley.origin}/botadmin/api/auth/user`)
    return ((await answer.json()) as { user: { hierarchylevel: string } }).user.hierarchylevel
  }

  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Hierarchy level:/u }).click()
    const picker = page.getByRole('dialog')
    await picker.getByRole('treeitem', { name, exact: true }).click()
    await picker.getByRole('button', { name: 'OK' }).click()
  }

  test('creates a level with Enter, once, and keeps a refused name in the dialog [P-262]', async () => {
    await visit(page, '/botadmin/hierarchy')
    await page.getByRole('button', { name: 'New level' }).click()
    const dialog = page.getByRole('dialog')
    const name = dialog.getByRole('textbox')
    await name.press('Enter')
    await name.fill('Norte')
    await name.press('Enter')
    await count(dialog, 0)
    await page.getByRole('row').filter({ hasText: 'Norte' }).waitFor()
    const named = ((await admin.get('/selectfromoriginallevel')).body as unknown as { name: string }[]).map(
      one => one.name,
    )
    expect(named.filter(one => one === 'Norte')).toHaveLength(1)

    await page.getByRole('button', { name: 'New level' }).click()
    await name.fill('x'.repeat(5000))
    await name.press('Enter')
    await eventually(() => name.getAttribute('aria-invalid')).toBe('true')
    expect(await name.inputValue()).toHaveLength(5000)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  test('moves a branch after it shows what moves, never into itself, and takes the move back [P-581]', async () => {
    const north = await level(admin, 'Região', root)
    const shop = await level(admin, 'Loja', north)
    await level(admin, 'Caixa', shop)
    await admin.post('/bot', { name: 'Da loja', hierarchylevel: shop })
    await page.goto('/botadmin/hierarchy')
    const parentOf = async (id: string) => (await admin.get(`/hierarchy/${id}`)).body.parent
    await page.getByRole('row', { name: 'Loja' }).press('m')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('treeitem', { name: 'Sul' }).waitFor()
    expect(await dialog.getByRole('treeitem', { name: /Loja|Caixa/u }).count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true)
    await dialog.getByRole('treeitem', { name: 'Sul' }).click()
    const preview = dialog.getByRole('group', { name: 'What moves' })
    await preview.getByText('2 levels and 1 bot').waitFor()
    await preview.getByText('Loja, Caixa').waitFor()
    await preview.getByText('/ Sul / Loja').waitFor()
    expect(await parentOf(shop)).toBe(north)
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await count(dialog, 0)
    expect(await parentOf(shop)).not.toBe(north)
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(() => parentOf(shop)).toBe(north)
  })

  test('offers neither a level nor its descendants as its parent [P-582]', async () => {
    const outer = await level(admin, 'Fora', root)
    await level(admin, 'Dentro', outer)
    await page.goto(`/botadmin/hierarchy/${outer}`)
    await page.locator('[data-field=parent]').getByRole('combobox').click()
    await page.getByRole('option', { name: 'Sul' }).waitFor()
    expect(await page.getByRole('option', { name: /Fora|Dentro/u }).count()).toBe(0)
  })

  test('changes the level only when OK is pressed in the tree of the toolbar [C-2.13]', async () => {
    await visit(page, '/botadmin/bot/search')
    const open = async () => {
      await page.getByRole('button', { name: /^Hierarchy level:/u }).click()
      const picker = page.getByRole('dialog')
      await picker.getByRole('treeitem', { name: 'Sul' }).click()
      return picker
    }
    await (await open()).getByRole('button', { name: 'Cancel' }).click()
    expect(await levelOf()).toBe(root)
    await (await open()).getByRole('button', { name: 'OK' }).click()
    await eventually(levelOf).not.toBe(root)
  })

  test('opens a thing of another level there, after the server changed it and the page was reloaded [C-4.12] [C-4.13]', async () => {
    const east = await level(admin, 'Leste', root)
    const { id } = (await admin.post('/codesample', { name: 'Do Leste', hierarchylevel: east })).body
    await visit(page, '/botadmin/codesample/search')
    await choose('Parley')
    const loads: string[] = []
    page.on('load', () => loads.push(page.url()))
    const changes: string[] = []
    page.on('request', request => {
      if (request.url().includes('/changehierarchylevel/')) changes.push(request.url().split('/').at(-1) ?? '')
    })
    await page.goto('/botadmin/codesample/search')
    await page.getByRole('link', { name: 'Do Leste' }).click()
    await page.getByText('You now work in Leste').waitFor()
    await page.getByRole('heading', { name: 'Do Leste' }).waitFor()
    expect([changes, loads.length]).toEqual([[east], 2])
    expect(await levelOf()).toBe(east)

    await page.goto(`/botadmin/codesample/${id}`)
    await page.getByRole('heading', { name: 'Do Leste' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect([changes, loads.length]).toEqual([[east], 3])
  })

  test('shows nothing of a bot of another level before the page is reloaded there [P-2205]', async () => {
    const west = await level(admin, 'Oeste', root)
    const { id } = (await admin.post('/bot', { name: 'Do Oeste', hierarchylevel: west })).body
    await visit(page, '/botadmin/bot/search')
    await choose('Parley')
    const read: string[] = []
    page.on('request', request => {
      const [, path] = request.url().split(`/api/bot/${id}`)
      if (path !== undefined) read.push(path.split('?')[0] ?? '')
    })
    const release = await holdBack(page, /\/changehierarchylevel\//u)
    const asked = page.waitForRequest(/\/changehierarchylevel\//u)
    await page.getByRole('link', { name: 'Do Oeste' }).click()
    await asked
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const shown = await page.getByRole('heading', { name: 'Do Oeste' }).count()
    release()
    expect(shown).toBe(0)
    await page.getByText('You now work in Oeste').waitFor()
    await page.getByRole('heading', { name: 'What happened' }).waitFor()
    await page.getByRole('textbox', { name: 'Description' }).waitFor()
    await eventually(() => read.includes('/usedby')).toBe(true)
    expect(read.filter(path => path === '/usedby')).toHaveLength(1)
  })

  test('opens every page of a bot of another level there, by its address alone [P-2819]', async () => {
    const islands = await level(admin, 'Ilhas', root)
    const { bot, dialog } = await admin.createDialog({ name: 'Das Ilhas', hierarchylevel: islands }, 'Balsa', 'Cais')
    const file = JSON.stringify({
      format: 'parley-test',
      version: 1,
      name: 'Pergunta da balsa',
      steps: [{ user: 'oi' }],
    })
    await admin.create('conversationtest', { name: 'Pergunta da balsa', bot, file })
    const menu = botMenu(placedEntities(Object.values(ENTITIES)), bot, () => true)
    const addresses = menu.flatMap(group => group.entries.map(({ to }) => botScoped(to, bot, undefined)))
    const flow = `/designer/dialog/${dialog}`
    const others = [flow, `${flow}?mode=funnel`, `${flow}?mode=history`, `/conversationtest/new?pid=${bot}`]
    expect(addresses.length).toBeGreaterThan(20)
    await visit(page, '/botadmin/bot/search')
    await choose('Parley')
    // Refused, so that each page is in another level.
    const change = `**/changehierarchylevel/${islands}`
    await page.route(change, route => route.abort())
    for (const address of [...addresses, ...others]) {
      const isChange = (request: Request) => request.url().endsWith(`/changehierarchylevel/${islands}`)
      const asked = page.waitForEvent('requestfailed', isChange).catch(() => 'never')
      await page.goto(`/botadmin${address}`, { waitUntil: 'commit' })
      expect(await asked, address).not.toBe('never')
    }
    await page.unroute(change)
    await page.goto(`/botadmin/bot/conversationtest/${bot}`)
    await page.getByRole('main').getByText('Pergunta da balsa').first().waitFor()
  })

  test('counts the dialogs of a task of another level in that level alone [P-2210]', async () => {
    const far = await level(admin, 'Centro', root)
    const bot = (await admin.post('/bot', { name: 'Do Centro', hierarchylevel: far })).body.id
    const { id } = (await admin.post('/dialogtask', { name: 'Balcão', bot })).body
    await admin.post('/dialog', { name: 'Entrada', dialogtask: id })
    await visit(page, '/botadmin/bot/search')
    await choose('Sul')
    const counted: number[] = []
    page.on('response', response => {
      if (!response.url().includes(`/api/dialog?`) || !response.url().includes(id)) return
      void response.json().then(({ total }: { total: number }) => counted.push(total))
    })
    // Sul does not see Centro: its administrator at the root does.
    await page.goto(`/botadmin/dialogtask/${id}`)
    await page.getByRole('link', { name: 'Entrada' }).first().waitFor()
    await eventually(() => counted.length).toBeGreaterThan(0)
    expect(counted.filter(total => total === 0)).toEqual([])
  })

  test('opens the bots from an address without an entity in the levels of the caller [C-4.14]', async () => {
    for (const entity of ['bot', 'user', 'dialogtask']) {
      const address = `${entity}/${crypto.randomUUID()}`
      const answered = page.waitForResponse(response => response.url().includes('/hierarchy?id='))
      await visit(page, `/botadmin/${address}`)
      expect(await (await answered).json()).toEqual({})
      await page.waitForURL('**/bot/search')
    }
    await page.getByText('Nothing with this address is in your levels.').waitFor()
  })

  test('reads the user again and reloads the bots when the level is changed in the toolbar [C-4.15]', async () => {
    await visit(page, '/botadmin/codesample/search')
    for (const name of ['Sul', 'Parley']) {
      const changed = page.waitForResponse(response => response.url().includes('/changehierarchylevel/'))
      // The user may be read for the page itself until the level is changed.
      const read = changed.then(() => page.waitForRequest(request => request.url().endsWith('/auth/user')))
      await choose(name)
      await page.waitForURL('**/bot/search')
      const answer = await (await read).response()
      const body = (await answer?.json()) as { user: { hierarchylevel: string } } | undefined
      expect(body?.user.hierarchylevel === root).toBe(name === 'Parley')
      await count(page.getByRole('main').getByRole('link', { name: 'Da loja' }), name === 'Parley' ? 1 : 0)
    }
  })

  test('animates the bell for what is unread and marks it as read when it is opened, in a list of its size [C-2.16] [C-4.25] [C-4.26] [C-9.14]', async () => {
    const bot = (await admin.post('/bot', { name: 'Do Norte', hierarchylevel: root })).body.id
    await admin.post(`/bot/${bot}/start`)
    const ana = await openWindow(browser, parley, { username: 'ana', password: `${PASSWORD}x` })
    await ana.emulateMedia({ reducedMotion: 'no-preference' })
    await ana.goto('/botadmin/')
    const bell = ana.getByRole('button', { name: /^Notifications.*1/u })
    await bell.waitFor()
    const animation = () =>
      bell.evaluate(button => {
        const style = getComputedStyle(button.closest('span') ?? button)
        return [style.animationName, style.animationDuration]
      })
    expect(await animation()).toEqual(['parley-shake', '0.6s'])
    await ana.emulateMedia({ reducedMotion: 'reduce' })
    expect(Number.parseFloat((await animation())[1] ?? '')).toBeLessThan(0.001)
    await bell.click()
    const popup = ana.getByRole('dialog', { name: 'Notifications' })
    await popup.getByText('Do Norte').waitFor()
    expect((await popup.boundingBox())?.width).toBeGreaterThanOrEqual(500)
    const height = await popup.getByRole('region').evaluate(list => getComputedStyle(list).maxHeight)
    expect(height).toBe('300px')
    await count(bell, 0)
    await ana.reload()
    await ana.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    await ana.context().close()
  })
})
