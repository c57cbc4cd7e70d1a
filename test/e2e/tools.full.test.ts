import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { count, eventually, inBrowser, LONG, openWindow, visit } from './browser.ts'
import { openConsole } from './console-world.ts'

inBrowser('release notes, tiny URLs and tools', { timeout: LONG }, async () => {
  const { parley, admin, browser, page } = await openConsole()
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const make = (entity: string, fields: object) => admin.create(entity, fields)
  /** Without loading the console again. */
  const go = (path: string) =>
    page.evaluate(to => {
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  const trail = async () =>
    (await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts())
      .map(text => text.trim())
      .filter(text => text !== '')
  const result = () => page.getByRole('region', { name: 'Result' })
  const editor = (name: string) => page.getByRole('textbox', { name, exact: true })
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

  test('a new release note changes the version in the toolbar of an open page [C-2.11] [C-3.07] [P-200]', async () => {
    await visit(page, '/botadmin/')
    await page.getByRole('button', { name: /^V 1\.0\.0,/ }).waitFor()
    const other = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
    await visit(other, '/botadmin/releasenote/new')
    await other.getByRole('textbox', { name: 'Name', exact: true }).fill('November')
    for (const [name, value] of [
      ['major', '2'],
      ['minor', '10'],
      ['patch', '3'],
    ] as const)
      await other.locator(`[data-field="${name}"] input`).fill(value)
    await other.getByLabel('Improvements').fill('Reports\n\nTiny URLs\nReports')
    await other.getByLabel('Bug fixes').fill('The menu closes')
    await other.getByRole('button', { name: /^Create/ }).click()
    await other.getByRole('heading', { name: 'November', level: 1 }).waitFor()
    await other.context().close()
    await page.getByRole('button', { name: /^V 2\.10\.3,/ }).waitFor()
    await make('releasenote', { name: 'Older', major: 2, minor: 9, patch: 20 })
    await page.reload()
    await page.getByRole('button', { name: /^V 2\.10\.3,/ }).waitFor()
  })

  test('the version opens what it improved and fixed, one per line [C-2.12] [C-3.08] [C-9.14]', async () => {
    await page.getByRole('button', { name: /^V 2\.10\.3,/ }).click()
    const popup = page.getByRole('dialog', { name: 'Release notes' })
    expect((await popup.boundingBox())?.width).toBeGreaterThanOrEqual(500)
    await eventually(() => popup.getByRole('listitem').allInnerTexts()).toEqual([
      'Reports',
      'Tiny URLs',
      'Reports',
      'The menu closes',
    ])
    const lists = popup.getByRole('list').first().locator('xpath=../..')
    expect(await lists.evaluate(element => getComputedStyle(element).maxHeight)).toBe('300px')
    await page.keyboard.press('Escape')
    await count(popup, 0)
  })

  test('the pages of release notes, tiny URLs and search indexes answer [C-2.27] [C-2.33] [C-2.34] [C-2.54]', async () => {
    const made = {
      releasenote: (await admin.get('/releasenote')).body.items[0]?.id,
      tinyurlmapping: await make('tinyurlmapping', { name: 'Promo', original_url: 'https://example.com/long' }),
      sitesearchindex: await make('sitesearchindex', { entity_type: 'localemessage' }),
      codesample: await make('codesample', { name: 'Sample' }),
      localemessage: await make('localemessage', { code: 'hello', locale: 'pt', message: 'Olá' }),
    }
    const titles = {
      releasenote: ['New release note', 'Release notes', 'Older'],
      tinyurlmapping: ['New tiny URL', 'Tiny URLs', 'Promo'],
      sitesearchindex: ['New site search index', 'Site search indexes', 'Bot messages'],
      codesample: ['New code sample', 'Code samples', 'Sample'],
      localemessage: ['New locale message', 'Locale messages', 'hello'],
    }
    for (const entity of Object.keys(made) as (keyof typeof made)[]) {
      const paths = [entity, `${entity}/search`, `${entity}/${made[entity]}`]
      for (const [at, path] of paths.entries()) {
        await go(`/botadmin/${path}`)
        await heading(titles[entity][at] ?? '')
      }
    }
    await go('/botadmin/sitesearchindex/bot/search')
    await heading('Site search indexes')
  })

  test('a list of search indexes is narrowed to a bot', async () => {
    const bot = await make('bot', { name: 'Aurora' })
    await make('sitesearchindex', { entity_type: 'dialog', bot })
    await visit(page, `/botadmin/sitesearchindex/bot/search?pid=${bot}`)
    await page.getByRole('link', { name: 'Dialogs' }).waitFor()
    await count(page.getByRole('link', { name: 'Bot messages' }).and(page.locator('[data-row-link]')), 0)
    await page.getByRole('button', { name: /^New site search index/ }).click()
    expect(new URL(page.url()).searchParams.get('pid')).toBe(bot)
  })

  test('the application settings show what belongs there, and the trail leads back [C-2.93]', async () => {
    await visit(page, '/botadmin/appsettings/search')
    const main = page.getByRole('main')
    for (const [card, path] of [
      ['Tiny URL Generator', '/tinyurlmapping/search'],
      ['JSON Path evaluation', '/tools/jsonpathonline'],
      ['Upload file to cloud', '/tools/uploadfiletocloud'],
      ['Deployment Settings', '/deploymentsettings'],
      ['Site Search Index', '/sitesearchindex/search'],
      ['Release Notes', '/releasenote/search'],
    ] as const) {
      await main.getByRole('link', { name: new RegExp(`^${card}`, 'u') }).click()
      await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin${path}`)
      await eventually(trail).toEqual(['Home', 'Application Settings', card])
      await page
        .getByRole('navigation', { name: 'Breadcrumb' })
        .getByRole('link', { name: 'Application Settings' })
        .click()
    }
    await visit(page, '/botadmin/sitesearchindex/bot/search')
    await eventually(trail).toEqual(['Home', 'Application Settings', 'Site Search Index'])
  })

  test('the address of a tiny URL is copied from its page and its row, and leads on', async () => {
    await visit(page, '/botadmin/tinyurlmapping/search')
    const row = page.getByRole('row', { name: /Promo/ })
    await row.getByRole('button', { name: 'Copy the address' }).click()
    await eventually(clipboard).toMatch(/\/botadmin\/t\/[a-z2-9]{10}$/)
    const address = await clipboard()
    expect(new URL(page.url()).pathname).toBe('/botadmin/tinyurlmapping/search')
    const answer = await fetch(address, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://example.com/long'])
    await row.getByRole('link', { name: 'Promo' }).click()
    await heading('Promo')
    await page.getByText(address).waitFor()
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await eventually(clipboard).toBe(address)
  })

  test('a JSON path is evaluated while it is typed, in the language of the address [C-2.46]', async () => {
    await visit(page, '/botadmin/tools/jsonpathonline?parsertype=jsonata')
    await heading('JSON Path evaluation')
    const parser = (name: string) => page.getByRole('button', { name, exact: true })
    expect(await parser('JSONata').getAttribute('aria-pressed')).toBe('true')
    await editor('Expression').fill('$sum(store.orders.total)')
    await result().getByText('482.4').waitFor()
    await visit(page, '/botadmin/tools/jsonpathonline?parsertype=jsonpathplus')
    expect(await parser('JSON Path').getAttribute('aria-pressed')).toBe('true')
    await result().getByText('3 values').waitFor()
    await page.getByRole('button', { name: 'Paid orders' }).click()
    await result().getByText('2 values').waitFor()
    await result().getByRole('button', { name: 'Copy the result' }).click()
    await eventually(clipboard).toBe(JSON.stringify(['A-17', 'A-19'], null, 2))
    await parser('JSONata').click()
    await eventually(() => new URL(page.url()).searchParams.get('parsertype')).toBe('jsonata')
    await eventually(() => editor('Expression').innerText()).toBe('store.orders[paid].id')
  })

  test('shows an error with its place, and stops an endless evaluation [P-205]', async () => {
    await visit(page, '/botadmin/tools/jsonpathonline?parsertype=jsonata')
    await editor('Expression').fill('store.orders[')
    await page.getByText(/What begins here is never closed \(line 1, column \d+\)/).waitFor()
    await editor('Expression').fill('($f := function($n) { $f($n) }; $f(1))')
    await page.getByText(/Stopped: it takes too long/).waitFor()
    await editor('Expression').fill('store.name')
    await result().getByText('"Casa Lume"').waitFor()
    await editor('JSON').fill('{"a": 1,}')
    await page.getByText(/This is no JSON: line 1, column \d/).waitFor()
  })

  test('a link holds the expression and the JSON, in its fragment alone [P-205]', async () => {
    await visit(page, '/botadmin/tools/jsonpathonline?parsertype=jsonata')
    await editor('JSON').fill('{"a": [1, 2]}')
    await editor('Expression').fill('$sum(a) & "€"')
    await page.getByRole('button', { name: 'Copy a link' }).click()
    await eventually(clipboard).toContain('#expression=')
    const link = new URL(await clipboard())
    expect(link.search).toBe('?parsertype=jsonata')
    await visit(page, '/botadmin/inspire')
    await heading('Inspiration')
    await page.goto(link.href)
    await result().getByText('"3€"').waitFor()
    await editor('JSON').fill(JSON.stringify({ a: 'x'.repeat(9000) }))
    await page.getByRole('button', { name: 'Copy a link' }).click()
    await page.getByText('Link copied with the expression alone: the JSON is too long for a link').waitFor()
    expect(new URL(await clipboard()).hash).not.toContain('input=')
  })

  test('reports without Metabase say that they are not set up, and how they are', async () => {
    await visit(page, '/botadmin/reports')
    await page.getByRole('heading', { name: 'Reports are not set up here' }).waitFor()
    await page.getByText('METABASE_SECRET').last().waitFor()
  })

  test('/ and /inspire answer with a page that leads somewhere [C-2.19]', async () => {
    await visit(page, '/botadmin/')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await visit(page, '/botadmin/inspire')
    await heading('Inspiration')
    const today = page.getByRole('region', { name: 'Try one thing today' })
    const before = await today.getByRole('heading').innerText()
    await today.getByRole('button', { name: 'Another idea' }).click()
    await eventually(() => today.getByRole('heading').innerText()).not.toBe(before)
    await page.getByRole('link', { name: /^Let JSONata do the sum/ }).click()
    await result().getByText('21').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Inspiration')
    await page.keyboard.press('Enter')
    await heading('Inspiration')
  })

  test('files are uploaded to the cloud, and each refusal says why [C-2.47] [C-5.19] [C-8.15]', async () => {
    await visit(page, '/botadmin/appsettings/search')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Upload file to cloud/u })
      .click()
    await heading('Files')
    await page.getByText('These files are public').waitFor()
    const chooser = page.locator('input[type=file]')
    const file = (name: string, content: string, mimeType = 'text/plain') => ({
      name,
      mimeType,
      buffer: Buffer.from(content),
    })
    await chooser.setInputFiles([file('price list.txt', 'one'), file('big.txt', 'x'.repeat(1_048_577))])
    await page.getByText('File is too big , max is 1MB').waitFor()
    const address = page.getByRole('group', { name: /files\/.*price%20list\.txt$/u }).first()
    const target = (await address.getAttribute('aria-label')) ?? ''
    expect(await (await fetch(target)).text()).toBe('one')
    await eventually(() =>
      page
        .getByRole('main')
        .getByRole('link', { name: /price list\.txt/u })
        .count(),
    ).toBe(1)
    await chooser.setInputFiles(file('Price List.txt', 'two'))
    await page.getByText('File already exists!!').waitFor()
    await chooser.setInputFiles(file('page.html', '<script>1</script>', 'text/html'))
    await page.getByText(/^File was not uploaded: /u).waitFor()
    await page.route('**/api/file', route => route.fulfill({ status: 500 }))
    await chooser.setInputFiles(file('lost.txt', 'three'))
    await page.getByText('File Upload Failed...').waitFor()
    await page.unroute('**/api/file')
    await page.route('**/api/file', route => route.abort())
    await chooser.setInputFiles(file('cut.txt', 'four'))
    await page.getByText('The connection was cut.').waitFor()
    await page.unroute('**/api/file')
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await page
      .getByRole('group', { name: /files\/.*cut\.txt$/u })
      .first()
      .waitFor()
    await page
      .getByRole('main')
      .getByRole('link', { name: /price list\.txt/u })
      .click()
    await heading('price list.txt')
    await page.getByRole('heading', { name: 'Linked from' }).waitFor()
    await page.getByText('Nothing links to it.').waitFor()
    await eventually(trail).toEqual(['Home', 'Application Settings', 'Upload file to cloud', 'price list.txt'])
  })

  test('a sound plays at its public address for a visitor without a session [P-320]', async () => {
    const samples = Buffer.alloc(4000, 128)
    const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1')
    for (const [offset, value] of [
      [4, 36 + samples.length],
      [16, 16],
      [24, 8000],
      [28, 8000],
      [40, samples.length],
    ] as const)
      head.writeUInt32LE(value, offset)
    for (const [offset, value] of [
      [20, 1],
      [22, 1],
      [32, 1],
      [34, 8],
    ] as const)
      head.writeUInt16LE(value, offset)
    await visit(page, '/botadmin/tools/uploadfiletocloud')
    const file = { name: 'beep.wav', mimeType: 'audio/wav', buffer: Buffer.concat([head, samples]) }
    await page.locator('input[type=file]').setInputFiles(file)
    const address = page.getByRole('group', { name: /files\/.*beep\.wav$/u }).first()
    const target = (await address.getAttribute('aria-label')) ?? ''
    const visitor = await browser.newContext()
    const opened = await visitor.newPage()
    await opened.goto(target)
    await eventually(() => opened.locator('video').evaluate((player: HTMLVideoElement) => player.duration)).toBe(0.5)
    await visitor.close()
  })
})
