import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { startParley } from '#test/api/harness.ts'
import { PASSWORD, person } from '#test/api/people.ts'
import { closeWindows, count, eventually, inBrowser, LONG, openBrowser, openWindow } from './browser.ts'
import { BUILDER, Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('a flow outlives networks and servers', { timeout: LONG }, async () => {
  const open = async (username: string) =>
    new Designer(await openWindow(browser, parley, { username, password: `${PASSWORD}x` })).open(dialog)
  const stored = async (id: string) => {
    const { left, top } = (await flowOf(admin, dialog)).operators[id] ?? {}
    return { x: left, y: top }
  }
  let parley = await startParley()
  let admin = await parley.signIn()
  const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  for (const username of ['ana', 'joao']) await person(parley, admin, { username, level, actions: BUILDER })
  const dialog = (await makeDialog(admin, CLINIC_FLOW)).dialog
  const browser = await openBrowser()
  let ana = await open('ana')
  const joao = await open('joao')
  afterAll(async () => {
    await closeWindows()
    await parley.close()
  })

  test('edits made while the network is cut are kept, and merge with those of others when it is back', async () => {
    const top = async () => (await ana.page.locator('.pl-canvas').boundingBox())?.y
    const before = await top()
    await ana.page.context().setOffline(true)
    await eventually(() => ana.status()).toBe('offline')
    expect(await top()).toBe(before)
    await ana.drag('book', 0, 45)
    await ana.drag('move', 0, 45)
    const hers = await ana.place('book')
    await ana.page.getByText('Offline · 2 edits kept here').waitFor()
    await joao.drag('close', 0, 45)
    await joao.drag('thanks', 60, 0)
    await joao.saved()
    const his = await joao.place('close')
    expect(await joao.place('book')).not.toEqual(hers)
    expect(await ana.place('close')).not.toEqual(his)

    await ana.page.context().setOffline(false)
    await ana.saved()
    await eventually(() => joao.place('book')).toEqual(hers)
    await eventually(() => ana.place('close')).toEqual(his)
    await eventually(() => ana.place('thanks')).toEqual(await joao.place('thanks'))
    expect([await stored('book'), await stored('close')]).toEqual([hers, his])
  })

  test('an edit without a network is kept for good in the moment it is made, whenever the page goes', async () => {
    // A page that goes undoes what it has written and not committed; seldom enough that no number of reloads shows it.
    await ana.page.evaluate(() => {
      const left = new Set<IDBTransaction>()
      for (const name of ['put', 'add'] as const) {
        const write = IDBObjectStore.prototype[name]
        IDBObjectStore.prototype[name] = function (...given) {
          left.add(this.transaction)
          document.body.dataset.written = String(Number(document.body.dataset.written ?? 0) + 1)
          return write.apply(this, given)
        }
      }
      const { commit } = IDBTransaction.prototype
      IDBTransaction.prototype.commit = function () {
        left.delete(this)
        document.body.dataset.uncommitted = String(left.size)
        commit.call(this)
      }
    })
    await ana.page.context().setOffline(true)
    await eventually(() => ana.status()).toBe('offline')
    await ana.drag('book', 0, 20)
    const hers = await ana.place('book')
    const { written, uncommitted } = await ana.page.evaluate(() => ({ ...document.body.dataset }))
    // The edit itself, that there is one, and where it was made.
    expect(Number(written)).toBeGreaterThanOrEqual(3)
    expect(uncommitted).toBe('0')
    await ana.page.context().setOffline(false)
    await ana.saved()
    await eventually(() => stored('book')).toEqual(hers)
  })

  test('the past cannot be loaded without a network, and looking for it loses nothing', async () => {
    await ana.page.route(/history-mode.*/u, route => route.abort())
    await ana.page.reload()
    await ana.blocks.first().waitFor()
    await ana.saved()
    await ana.page.context().setOffline(true)
    await eventually(() => ana.status()).toBe('offline')
    await ana.drag('book', 0, 20)
    const hers = await ana.place('book')
    await ana.page.getByRole('group', { name: 'Mode' }).getByRole('button', { name: 'History' }).click()
    await ana.page.getByRole('button', { name: 'Back to the flow' }).click()
    await eventually(() => ana.place('book')).toEqual(hers)
    await ana.page.context().setOffline(false)
    await ana.page.unrouteAll()
    await ana.saved()
    await eventually(() => joao.place('book')).toEqual(hers)
  })

  test('edits made offline survive the page and are not signed away unasked: it is opened again and sends them', async () => {
    await ana.page.context().setOffline(true)
    await ana.drag('results', 0, 45)
    const hers = await ana.place('results')
    await ana.page.getByText('Offline · 1 edit kept here').waitFor()
    const { page } = ana
    const again = await page.context().newPage()
    await page.close()
    await page.context().setOffline(false)
    await again.goto('/botadmin/')
    await again.getByRole('button', { name: /^Account: / }).click()
    await again.getByRole('menuitem', { name: 'Sign out' }).click()
    const asked = again.getByRole('alertdialog', { name: 'Sign out and lose 1 edit?' })
    await asked.getByRole('button', { name: 'Stay signed in' }).click()
    await count(asked, 0)
    ana = await new Designer(again).open(dialog)
    await eventually(() => ana.place('results')).toEqual(hers)
    await eventually(() => joao.place('results')).toEqual(hers)
    await ana.saved()
    expect(await stored('results')).toEqual(hers)
  })

  test('reconnects both after a server kill amid edits, and loses nothing saved', async () => {
    await ana.drag('hello', 0, 20)
    await joao.drag('who', 0, 20)
    await Promise.all([ana.saved(), joao.saved()])
    const saved = { hello: await ana.place('hello'), who: await joao.place('who') }

    await ana.carry('note', 60, 30)
    await parley.end('SIGKILL')
    await ana.drop()
    await eventually(() => ana.status()).toBe('offline')
    await eventually(() => joao.status()).toBe('offline')
    await joao.drag('ready', 60, 0)
    const unsaved = { note: await ana.place('note'), ready: await joao.place('ready') }

    const { folder, origin } = parley
    parley = await startParley({ folder, env: { PORT: new URL(origin).port } })
    await Promise.all([ana.saved(), joao.saved()])
    admin = await parley.signIn()
    for (const designer of [ana, joao]) {
      for (const [id, place] of Object.entries({ ...saved, ...unsaved }))
        await eventually(() => designer.place(id)).toEqual(place)
    }
    for (const [id, place] of Object.entries({ ...saved, ...unsaved })) expect(await stored(id), id).toEqual(place)

    await ana.drag('keep', 0, 20)
    const last = await ana.place('keep')
    await eventually(() => joao.place('keep')).toEqual(last)
  })

  test('reports who removed an open dialog, returns unsaved edits, and restores the dialog there', async () => {
    await joao.page.getByRole('button', { name: 'Fit the flow', exact: true }).click()
    await joao.page.context().setOffline(true)
    await eventually(() => joao.status()).toBe('offline')
    const before = await joao.place('book')
    await joao.drag('book', 0, 45)
    const his = await joao.place('book')
    const { status, text } = await admin.delete(`/dialog/${dialog}`, { confirm: 'CONFIRM' })
    expect(status, text).toBe(200)
    const told = ana.page.getByRole('heading', { name: /was removed$/u })
    await told.waitFor()
    await ana.page.getByText(/^Deleted by Admin/u).waitFor()
    await count(ana.page.getByRole('button', { name: 'Download my edits' }), 0)

    await ana.page.reload()
    await told.waitFor()
    await ana.page.getByText(/^Deleted by Admin/u).waitFor()
    await ana.page.getByRole('link', { name: 'Back to the task' }).click()
    await ana.page.getByRole('heading', { name: 'Agenda', level: 1 }).waitFor()
    await ana.page.goBack()
    await told.waitFor()

    await joao.page.context().setOffline(false)
    await joao.page.getByText(/What was not saved is ready/u).waitFor()
    const joined: string[] = []
    joao.page.on('websocket', socket => {
      // The notification socket reconnects automatically: ignored.
      if (!socket.url().includes('/socket.io/')) joined.push(socket.url())
    })
    const coming = joao.page.waitForEvent('download')
    await joao.page.getByRole('button', { name: 'Download my edits' }).click()
    const file = JSON.parse(await readFile(await (await coming).path(), 'utf8'))
    expect({ x: file.operators.book.left, y: file.operators.book.top }).toEqual(his)

    expect(joined, 'what is gone is not joined again').toEqual([])
    await joao.page.getByRole('button', { name: 'Bring it back' }).click()
    await joao.page.getByText('This flow was removed and brought back.').waitFor()
    for (const one of [ana, joao]) {
      await one.block('book').waitFor()
      await one.saved()
      expect(await one.place('book')).toEqual(before)
    }
    await count(ana.page.getByText('This flow was removed and brought back.'), 0)
    await joao.drag('close', 0, 20)
    await eventually(() => ana.place('close')).toEqual(await joao.place('close'))
  })

  test('ends editing at once on a revoked right and keeps viewing, until that right is revoked too', async () => {
    const allow = async (username: string, actions: readonly string[]) => {
      const { id } = (await admin.get(`/role?search=${username}`)).body.items[0] as { id: string }
      const { status, text } = await admin.patch(
        `/role/${id}`,
        { actions },
        (await admin.get(`/role/${id}`)).body.revision,
      )
      expect(status, text).toBe(200)
    }
    await joao.page.locator('[data-save]').waitFor()
    await allow(
      'joao',
      BUILDER.filter(action => action !== 'updatedialog'),
    )
    await joao.page.getByText('Your right to edit was taken away. You can still look.').waitFor()
    await joao.page.getByText('View only', { exact: true }).waitFor()
    await joao.page.getByRole('button', { name: 'View', exact: true }).waitFor()
    await ana.drag('mask', 60, 0)
    const hers = await ana.place('mask')
    await eventually(() => joao.place('mask')).toEqual(hers)
    // A user with edit permission restores a removed flow, and it returns for all.
    const flow = (await admin.get(`/dialog/${dialog}`)).body
    expect((await admin.delete(`/dialog/${dialog}`, { confirm: 'CONFIRM' })).status).toBe(200)
    await joao.page.getByText(/^Deleted by Admin/u).waitFor()
    // Permissions are loaded with the page.
    await joao.page.reload()
    await joao.page.getByText(/^Deleted by Admin/u).waitFor()
    await count(joao.page.getByRole('button', { name: 'Bring it back' }), 0)
    const brought = await admin.post(`/dialog/${dialog}/restore`, { revision: flow.revision })
    expect(brought.status, brought.text).toBe(200)
    await joao.block('mask').waitFor()
    await joao.page.getByText('View only', { exact: true }).waitFor()
    await allow('joao', ['showbot'])
    await joao.page.getByRole('heading', { name: 'You are not authorized!!!' }).waitFor()
    await count(joao.blocks, 0)
    // On lost access, offline edits become a download, and the flow is hidden.
    await ana.page.getByRole('application', { name: 'Flow Principal' }).waitFor()
    await ana.page.getByRole('button', { name: 'Fit the flow', exact: true }).click()
    await ana.page.context().setOffline(true)
    await eventually(() => ana.status()).toBe('offline')
    await ana.drag('mask', 0, 20)
    await allow('ana', ['showbot'])
    await ana.page.context().setOffline(false)
    await ana.page.getByRole('heading', { name: 'You are not authorized!!!' }).waitFor()
    await ana.page.getByRole('button', { name: 'Download my edits' }).waitFor()
    await count(ana.page.getByRole('button', { name: 'Close', exact: true }), 0)
    await count(ana.blocks, 0)
  })
})
