import { beforeAll, expect, test } from 'vitest'
import { blocks } from '#schemas/blocks/registry.ts'
import { conversationtest } from '#schemas/entities/conversationtest.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { openConsole } from '#test/e2e/console-world.ts'
import { ruledValueOf } from '#test/entity/values.ts'
import { isFull } from '#test/fixture/full.ts'
import type { Client } from '../api/harness.ts'
import { inBrowser, LONG, visit } from '../e2e/browser.ts'
import type { Description } from './operation.ts'
import { bodyOf, make } from './world.ts'

/** Entities with custom pages, and one that represents all generated pages. */
const SHOWN_BY_ITSELF = new Set(['bot', 'user', 'role', 'dialogtask', 'version', 'codesample'])

/** Runs wherever it is taken for anything but words: markup, an attribute, an address, a template. */
const SCRIPT = `"'><script>pwn(1)</script><img src=x onerror=pwn(2)><svg/onload=pwn(3)><a href="javascript:pwn(4)">x</a>{{constructor.constructor('pwn(5)')()}}\${pwn(6)}`
const IN_ID = '<img src=x onerror=pwn(8)>'
const ADDRESS = 'javascript:pwn(7)//https://x'

inBrowser('what people write is shown and never run', { timeout: isFull ? 3 * LONG : LONG }, async () => {
  const { parley, page } = await openConsole()
  const ids: Record<string, string> = {}
  const ran: string[] = []
  beforeAll(async () => {
    const admin = await parley.signIn()
    const root = String((await admin.get('/userhierarchy')).body.hierarchylevel)
    const description = (await parley.anyone.get('/openapi.json')).body as unknown as Description
    for (const entity of Object.values(ENTITIES) as EntityDeclaration[]) {
      const { name } = entity
      ids[name] = await write(admin, description, entity, root)
      if (name === 'dialog' || name === 'handler') await draw(admin, `/${name}/${ids[name]}/flow`)
    }
    await page.exposeFunction('pwn', (number: number) => ran.push(`${number} at ${page.url()}`))
    page.on('dialog', dialog => {
      ran.push(dialog.message())
      void dialog.dismiss()
    })
  }, LONG)

  const write = async (admin: Client, description: Description, entity: EntityDeclaration, root: string) => {
    if (entity.writtenBy === 'system')
      return make(admin, entity, { bot: ids.bot, profile: ids.campaignuploadprofile }, 'x')
    const body = bodyOf(description, entity, root, ids, 'x')
    for (const [name, field] of Object.entries(entity.fields)) {
      if (field.readonly || field.secret || !['string', 'text', 'markdown', 'code', 'strings'].includes(field.kind))
        continue
      // It holds no other values than its options.
      if (field.options !== undefined) continue
      if (entity.name === 'role' && name !== 'name') continue
      // Checked by the rules of its entity.
      if (Array.isArray(ruledValueOf(field, 'x'))) continue
      // Has its own format and already contains the script.
      if (field === conversationtest.fields.file) continue
      const text = /endpoint|url|pic|avatar/.test(name) ? ADDRESS : `${SCRIPT}`.slice(0, field.max ?? 200)
      const value = field.kind === 'strings' ? [text] : text
      if (field.schema.safeParse(value).success) body[name] = value
      if (name === 'block') body[name] = `text${IN_ID}`
    }
    return make(admin, entity, body, 'x')
  }

  /** A block of every type with the script in its title and in every text, drawn side by side. */
  const draw = async (admin: Client, path: string) => {
    const operators = Object.fromEntries(
      Object.entries(blocks).map(([type, { fields }], index) => [
        `${type}${IN_ID}`,
        { type, title: SCRIPT, top: 240 * Math.floor(index / 8), left: 320 * (index % 8), properties: textsOf(fields) },
      ]),
    )
    const { status, text } = await admin.put(path, {
      operators: {
        ...operators,
        u: { type: SCRIPT, title: SCRIPT, top: -300, left: 0, properties: { [SCRIPT]: SCRIPT } },
      },
      links: {},
    })
    if (status !== 200) throw new Error(text)
    await admin.post(path.replace('/flow', '/publish'), {})
  }

  const textsOf = (fields: Readonly<Record<string, { readonly kind: string }>>) => ({
    inputs: { input_1: { label: SCRIPT } },
    outputs: { output_1: { label: SCRIPT } },
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([name, { kind }]) =>
        /list|group|object/i.test(kind) ? [] : [[name, /uri|url|image/.test(name) ? ADDRESS : SCRIPT]],
      ),
    ),
  })

  test('on every list and form, in histories, the audit, the search and the home page', async () => {
    const addresses = Object.entries(ids)
      .filter(([entity]) => isFull || SHOWN_BY_ITSELF.has(entity))
      .flatMap(([entity, id]) => [...(isFull ? [`/${entity}/search`] : []), `/${entity}/${id}?history=1`])
    for (const address of [...addresses, '/bot/search', '/audit', `/bot/dialogtask/${ids.bot}`, '/']) {
      await visit(page, `/botadmin${address}`)
      await page.locator('main').first().waitFor()
      await page.waitForTimeout(isFull ? 400 : 150)
    }
    await page.keyboard.press('Control+K')
    await page.keyboard.type('script')
    await page.waitForTimeout(500)
    expect(ran).toEqual([])
  })

  test('on the canvas, in the inspector of every block, in its history and its difference', async () => {
    for (const kind of ['dialog', 'handler']) {
      await visit(page, `/botadmin/designer/${kind}/${ids[kind]}`)
      await page.locator('[data-block]').first().waitFor()
      const all = await page.locator('[data-block]').all()
      // Both kinds have a block of every type: each looks at others.
      for (const block of isFull ? all : all.filter((_, index) => index % 12 === (kind === 'dialog' ? 0 : 6))) {
        await block.click({ force: true, timeout: 5000 }).catch(() => undefined)
        await page.waitForTimeout(60)
      }
      await page.goto(`/botadmin/designer/${kind}/${ids[kind]}?mode=history`)
      await page.waitForTimeout(700)
    }
    expect(ran).toEqual([])
  })

  test('runs no script from the address', async () => {
    for (const address of [
      '/login?next=javascript:pwn(9)',
      '/login?next=//evil.example',
      '/login?next=/\\evil.example',
      `/audit?entity=${encodeURIComponent(SCRIPT)}`,
      `/bot/search?search=${encodeURIComponent(SCRIPT)}`,
      `/${encodeURIComponent('<img src=x onerror=pwn(10)>')}`,
    ]) {
      await page.goto(`/botadmin${address}`)
      await page.waitForTimeout(300)
      expect(new URL(page.url()).origin).toBe(parley.origin)
    }
    expect(ran).toEqual([])
  })

  test('and a script that got into a page would be stopped by its policy', async () => {
    // A page that nobody watches: that the policy speaks up is what is wanted here.
    const other = await page.context().newPage()
    // Its program has no part in it.
    await other.route('**/*.js', route => route.abort())
    await other.goto('/botadmin/login')
    const stopped = await other.evaluate(() => {
      const element = document.createElement('script')
      element.textContent = 'globalThis.inlineRan = true'
      document.body.append(element)
      const picture = document.createElement('div')
      picture.innerHTML = '<img src="data:," onerror="globalThis.inlineRan = true">'
      document.body.append(picture)
      return new Promise<boolean>(resolve => setTimeout(() => resolve(!('inlineRan' in globalThis)), 300))
    })
    expect(stopped).toBe(true)
  })
})
