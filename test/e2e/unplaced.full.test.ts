import { expect, test } from 'vitest'
import { PASSWORD, person } from '#test/api/people.ts'
import { count, eventually, inBrowser, LONG, openWindow } from './browser.ts'
import { openBrowserWorld } from './console-world.ts'
import { BUILDER, Designer, flowOf, makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'

inBrowser('edits made offline to what someone removed meanwhile', { timeout: LONG }, async () => {
  const { parley, admin, browser } = await openBrowserWorld()
  const open = async (username: string) =>
    new Designer(await openWindow(browser, parley, { username, password: `${PASSWORD}x` })).open(dialog)
  const offer = () => ana.page.getByRole('region', { name: /found no place|without your edits/u })
  const offline = async () => {
    await ana.page.context().setOffline(true)
    await eventually(() => ana.status()).toBe('offline')
  }
  const type = async (id: string, text: string) => {
    await ana.select(id)
    const field = ana.inspector.getByRole('textbox', { name: 'Message', exact: true })
    await field.click()
    await ana.page.keyboard.press('Control+End')
    await ana.page.keyboard.type(text)
  }
  const textOf = async (id: string) =>
    (await flowOf(admin, dialog)).operators[id]?.properties?.text as string | undefined

  const level = (await admin.get('/userhierarchy')).body.hierarchylevel as string
  for (const username of ['ana', 'joao']) await person(parley, admin, { username, level, actions: BUILDER })
  const dialog = (await makeDialog(admin, CLINIC_FLOW)).dialog
  const ana = await open('ana')
  const joao = await open('joao')

  test('are offered to their author when the network is back, and one click brings the block with them', async () => {
    const before = await flowOf(admin, dialog)
    await offline()
    await type('hello', ' Estamos aqui.')
    await ana.inspector.getByLabel('Block title', { exact: true }).fill('Saudação')
    await ana.key('Escape')
    await joao.select('hello')
    await joao.key('Escape')
    await joao.select('hello')
    await joao.page.locator('.pl-canvas').focus()
    await joao.key('Delete')
    await count(joao.block('hello'), 0)
    await joao.saved()

    await ana.page.context().setOffline(false)
    await offer().waitFor()
    await count(ana.block('hello'), 0)
    await offer()
      .getByText(/^Removed by joao, .+ Yours: /u)
      .waitFor()
    await offer().getByRole('button', { name: 'Put it back' }).click()
    await joao.block('hello').waitFor()
    await count(offer(), 0)
    await ana.saved()
    expect(await textOf('hello')).toContain('Estamos aqui.')
    const after = await flowOf(admin, dialog)
    expect(after.operators.hello?.title).toBe('Saudação')
    const ends = (flow: typeof after) =>
      Object.values(flow.links)
        .map(link => `${link.fromOperator} ${link.fromConnector} ${link.toOperator}`)
        .sort()
    expect(ends(after)).toEqual(ends(before))
  })

  test('wait for their author over a reload, also after a restore recreated the block', async () => {
    const { total } = (await admin.get(`/dialog/${dialog}/flow/history`)).body
    const stored = await textOf('hello')
    await offline()
    await type('hello', ' Mais uma frase.')
    const flow = await flowOf(admin, dialog)
    const { hello: _gone, ...operators } = flow.operators
    await admin.put(`/dialog/${dialog}/flow`, { ...flow, operators, links: {} })
    const { status, text } = await admin.post(`/dialog/${dialog}/flow/restore`, { revision: total })
    expect(status, text).toBe(200)

    await ana.page.context().setOffline(false)
    await offer()
      .getByText(/^Made anew by Admin, .+ Yours: Message/u)
      .waitFor()
    await ana.page.reload()
    await ana.block('hello').waitFor()
    await offer().waitFor()
    expect(await textOf('hello')).toBe(stored)
    await offer().getByRole('button', { name: 'Put your edits in', exact: true }).click()
    await count(offer(), 0)
    await ana.saved()
    await eventually(() => textOf('hello')).toContain('Mais uma frase.')
  })

  test('need no decision once another person restored their content', async () => {
    const before = await flowOf(admin, dialog)
    await offline()
    await type('hello', ' E até logo.')
    const { hello, ...operators } = before.operators
    await admin.put(`/dialog/${dialog}/flow`, { ...before, operators, links: {} })
    await ana.page.context().setOffline(false)
    await offer().getByText('found no place').waitFor()
    const said = (await textOf('hello')) ?? String(hello?.properties?.text)
    const back = { ...hello, properties: { ...hello?.properties, text: `${said} E até logo.` } }
    await admin.put(`/dialog/${dialog}/flow`, { ...before, operators: { ...operators, hello: back } })
    await ana.block('hello').waitFor()
    await count(offer(), 0)
  })

  test('can be discarded, and then restored', async () => {
    await offline()
    await type('thanks', ' Até.')
    await joao.page.locator('.react-flow__pane').click({ position: { x: 5, y: 400 } })
    const flow = await flowOf(admin, dialog)
    const { thanks: _gone, ...operators } = flow.operators
    await admin.put(`/dialog/${dialog}/flow`, { ...flow, operators })
    await ana.page.context().setOffline(false)
    await offer().getByRole('button', { name: 'Discard', exact: true }).click()
    await count(offer(), 0)
    await ana.page.getByText('Edits discarded').getByRole('button', { name: 'Undo', exact: true }).click()
    await offer().waitFor()
    const download = ana.page.waitForEvent('download')
    await offer().getByRole('button', { name: 'Save as flow file' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.flow\.json$/u)
    await offer().getByRole('button', { name: 'Discard', exact: true }).click()
    await ana.page.reload()
    await ana.blocks.first().waitFor()
    await ana.saved()
    await count(offer(), 0)
  })

  test('a file is refused for what it is, and takes the place of what is there only after it was asked about', async () => {
    const { page } = ana
    const give = async (content: unknown, name = 'fluxo.json') => {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Import a flow file' }).click()
      const buffer = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
      await (await choosing).setFiles({ name, mimeType: 'application/json', buffer })
    }
    const ask = page.getByRole('alertdialog', { name: 'Replace this flow with fluxo.json?' })
    const flow = await flowOf(admin, dialog)
    await give('not json')
    await page
      .getByText(/The file holds no JSON\. The flow stays as it was/u)
      .first()
      .waitFor()
    await give({ groups: [], edges: [] })
    await page
      .getByText(/It is not a flow file/u)
      .first()
      .waitFor()
    await give(flow)
    await page.getByText('The flow is as in this file already: nothing changed').first().waitFor()

    const { hello, ...operators } = flow.operators
    const torto = { ...hello, type: 'mediacard', title: 'Torto', properties: { media: ['x'] } }
    const novo = { ...hello, left: Number(hello?.left) + 400, type: 'teleport' }
    const other = { ...flow, operators: { ...operators, novo, torto }, links: {} }
    await give(other)
    await ask.getByText('1 block goes').waitFor()
    await ask.getByText(/1 type is not known here: teleport/u).waitFor()
    await ask.getByText(/^joao is here now/u).waitFor()
    await ask.getByRole('button', { name: 'Cancel' }).click()
    expect(await flowOf(admin, dialog)).toEqual(flow)
    await give(other)
    await ask.getByRole('button', { name: 'Import', exact: true }).click()
    await joao.block('novo').waitFor()
    await joao.select('torto')
    await joao.inspector.getByText(/this form cannot show\. It is kept as it came: look at JSON/u).waitFor()
    await page.locator('.pl-canvas').focus()
    await ana.key('Control+z')
    await joao.block('hello').waitFor()
    await eventually(() => flowOf(admin, dialog)).toEqual(flow)
  })
})
