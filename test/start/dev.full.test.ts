import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '#test/doubles/free-port.ts'
import { inBrowser, openBrowser, openWindow } from '#test/e2e/browser.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PASSWORD = 'a password for a test'
const LONG = 300_000
/** Vite prepares the packages and a thousand modules for the first page, ms. */
const SLOW_PAGE = 120_000
const PATIENT = { timeout: SLOW_PAGE, interval: 100 }

/** With hard links where both folders are on one file system: the packages are 800 MB. */
const copyFolder = (from: string, to: string): void => {
  try {
    execFileSync('cp', ['-al', `${from}/.`, to], { stdio: 'ignore' })
  } catch {
    rmSync(to, { recursive: true, force: true })
    execFileSync('cp', ['-a', `${from}/.`, to])
  }
}

inBrowser('npm run dev', { timeout: LONG }, () => {
  let folder: string
  let clone: string
  let origin: string
  let child: ChildProcess
  let browser: Browser
  let page: Page
  let output = ''
  const ready = () => output.split('\n').filter(line => line.startsWith('Parley is ready at '))
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(join(clone, file), 'utf8')
    expect(text).toContain(from)
    writeFileSync(join(clone, file), text.replace(from, to))
  }
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-dev-'))
    clone = join(folder, 'clone')
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone])
    // No link to the folder: npm ci would empty it. The stamp marks the packages as installed.
    const packages = join(clone, 'node_modules')
    copyFolder(join(ROOT, 'node_modules'), packages)
    rmSync(join(packages, '.parley-installed'), { force: true })
    const stamp = createHash('sha256')
      .update(readFileSync(join(clone, 'package-lock.json')))
      .digest('hex')
    writeFileSync(join(packages, '.parley-installed'), stamp)
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const { NODE_ENV: _mode, VITEST: _runner, CI: _ci, ...env } = process.env
    child = spawn('npm', ['run', 'dev'], {
      cwd: clone,
      detached: true,
      env: { ...env, PORT: String(port), PARLEY_DATA: join(folder, 'data'), PARLEY_ADMIN_PASSWORD: PASSWORD },
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        output += chunk
      })
    await vi.waitFor(() => expect(ready(), output).toEqual([`Parley is ready at ${origin}/botadmin/`]), PATIENT)
    browser = await openBrowser()
    page = await openWindow(browser, { origin })
    page.context().setDefaultTimeout(SLOW_PAGE)
  }, LONG)
  afterAll(async () => {
    await browser?.close()
    if (child?.exitCode === null) child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }, LONG)

  test('opens the console at the printed address and signs in', async () => {
    await page.goto('/')
    await page.getByLabel('Username or e-mail').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: /^Account: / }).waitFor()
  })

  test('shows an edited component without a reload', async () => {
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    edit('web/components/mark.tsx', 'aria-hidden="true"', 'aria-hidden="true" data-edited=""')
    await page.locator('[data-edited]').first().waitFor({ state: 'attached' })
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  })

  test('restarts the gateway after an edit of its code and connects the designer again', async () => {
    const create = async (entity: string, body: Record<string, string>): Promise<string> => {
      const answer = await page.context().request.post(`/botadmin/api/${entity}`, { data: body, headers: { origin } })
      return (await answer.json()).id
    }
    const bot = await create('bot', { name: 'Clinic' })
    const dialogtask = await create('dialogtask', { name: 'Visits', bot })
    const dialog = await create('dialog', { name: 'Booking', dialogtask })
    const saved = () => page.locator('[data-save]').getAttribute('data-save')
    await page.goto(`/botadmin/designer/dialog/${dialog}`)
    await page.getByRole('button', { name: 'Begin from an example' }).click()
    await page.getByRole('button', { name: /^Welcome/u }).click()
    await expect.poll(() => page.locator('[data-block]').count(), PATIENT).toBeGreaterThan(9)
    await expect.poll(saved, PATIENT).toBe('saved')

    const status = async () => (await fetch(origin, { redirect: 'manual' })).status
    expect(await status()).toBe(302)
    edit('gateway/web.ts', 'reply.redirect(BASE, 302)', 'reply.redirect(BASE, 307)')
    await expect.poll(saved, PATIENT).toBe('offline')
    await expect.poll(status, PATIENT).toBe(307)
    await expect.poll(saved, PATIENT).toBe('saved')
    expect(ready()).toHaveLength(2)
  })

  test('serves the web chat from its sources', async () => {
    edit('web/chat/main.ts', '\n', '\nconsole.info("edited")\n')
    expect(await (await fetch(`${origin}/chat/widget.js`)).text()).toContain('console.info("edited")')
  })

  test('ends the gateway and Vite on Ctrl-C', async () => {
    const ended = new Promise(resolve => child.on('exit', resolve))
    // A terminal sends the signal to the whole group.
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await ended).toBe(0)
    await expect(fetch(origin)).rejects.toThrow()
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(clone)
  })
})
