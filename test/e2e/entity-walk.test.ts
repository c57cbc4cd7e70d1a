import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { HUB_ADDRESS } from '#domain/menu.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, isSingle, parentField } from '#schemas/entity.ts'
import type { Field } from '#schemas/field/kind.ts'
import { WHOLE } from '#test/entity/maker.ts'
import { ruledValueOf, testFileOf, valuesFor } from '#test/entity/values.ts'
import { covering } from '#test/fixture/covering.ts'
import { isFull } from '#test/fixture/full.ts'
import { eventually, inBrowser, LONG, visit } from './browser.ts'
import { openConsole } from './console-world.ts'
import { HUB_NAME, textsOf } from './entity-texts.ts'

const ROOT = join(import.meta.dirname, '../..')
const DECLARED = Object.values<EntityDeclaration>(ENTITIES)

const menuName = (entity: string) => textsOf(entity).menu ?? textsOf(entity).plural
/** Made otherwise than by a form: of a bot's state, by an upload, and in a dialog. */
const MADE_OTHERWISE = new Set(['version', 'cloudfile', 'campaign', 'apitoken'])
const isGenerated = ({ name, place, writtenBy: by }: EntityDeclaration) =>
  place?.hidden !== true && by === undefined && !MADE_OTHERWISE.has(name)
const kindsOf = ({ form, fields }: EntityDeclaration): readonly string[] =>
  form.flatMap(part => (part.control === undefined ? part.fields : [])).map(name => `field ${fields[name]?.kind}`)
/** The kinds of place and page where it is found. */
const placesOf = ({ place, page }: EntityDeclaration): readonly string[] => [
  `place ${(['menu', 'hub', 'bot', 'listUnder'] as const).find(kind => place?.[kind] !== undefined)}`,
  `page ${page ?? 'generated'}`,
]

const LISTED = DECLARED.filter(entity => isGenerated(entity) && !isSingle(entity))
const SINGLES = DECLARED.filter(entity => isGenerated(entity) && isSingle(entity))
/** Every kind of field, place and page. Other tests create, change and delete a bot. */
const SAMPLED = covering(
  LISTED.filter(({ name }) => name !== 'bot'),
  entity => [...kindsOf(entity), ...placesOf(entity)],
)
/** `npm run test:full` walks over all of them, `npm test` over one of each kind of place and page. */
const WALKED = isFull ? LISTED : covering(SAMPLED, placesOf)
const MADE = isFull ? [] : SAMPLED.filter(entity => !WALKED.includes(entity))

/** Fills the control of a field with a value of its kind. */
const fill = async (box: Locator, field: Field, value: string): Promise<void> => {
  const control = box.locator('input, textarea, select, [contenteditable=true]').first()
  if (field.kind === 'string' && (await box.locator('select').count()) > 0) {
    await control.selectOption({ index: 1 })
    return
  }
  if (field.control === 'segmentrule') return box.getByRole('textbox', { name: 'Condition 1: Value' }).fill(value)
  switch (field.kind) {
    case 'list':
    case 'palette':
      return
    case 'duration':
    case 'integer':
    case 'number':
      return control.fill(String(Math.max(1, field.min ?? 1)))
    case 'email':
      return control.fill('walk@example.org')
    case 'password':
      return control.fill('Caminho-Longo-7')
    case 'json':
      return control.fill('{"type":"object"}')
    case 'expression':
      return control.fill('nome')
    case 'url':
      return control.fill('https://walk.example/')
    case 'strings':
      if (field.options !== undefined) return control.check()
      await control.fill(String([ruledValueOf(field, value) ?? value].flat()[0]))
      return control.press('Enter')
    case 'enumeration':
      await control.selectOption({ index: 1 })
      return
    default:
      return control.fill(
        [value, value.toLowerCase().replace(' ', '_'), '12345', ...valuesFor(field, value).map(String)].find(
          text => field.schema.safeParse(text).success,
        ) ?? '',
      )
  }
}

/** Address of the form of an entity; that of a contact list alone shows its contacts. */
const formOf = (name: string, id: string) => `/botadmin/${name}/${name === 'contactlist' ? 'settings/' : ''}${id}`

/** A nested object, and a file that only some kinds of header have. */
const LEFT: ReadonlySet<string> = new Set(['queue_tracker_config', 'header_file'])

inBrowser('every declared entity', { timeout: LONG }, async () => {
  const { admin, page } = await openConsole()
  const parents: Record<string, string> = {}
  beforeAll(async () => {
    parents.bot = (await admin.post('/bot', { name: 'Andarilho' })).body.id
    parents.dialogtask = (await admin.post('/dialogtask', { name: 'Passeio', bot: parents.bot })).body.id
    parents.nluproject = (await admin.post('/nluproject', { name: 'Passos', locale: 'pt' })).body.id
    parents.metaapp = (await admin.post('/metaapp', { name: 'Caminhos', app_id: '1' })).body.id
    const account = { metaapp: parents.metaapp, name: 'Passarela', waba_id: '1' }
    parents.metaaccount = (await admin.post('/metaaccount', account)).body.id
    const kind = { language: 'pt_BR', category: 'utility', templateType: 'TEXT' }
    const text = { metaaccount: parents.metaaccount, templateName: 'passos', body: 'Oi, tudo bem?' }
    parents.template = (await admin.post('/template', { ...text, ...kind })).body.id
    parents.campaign = (await admin.post('/campaign', { name: 'passos', template: parents.template })).body.id
    // The service account that a provider names.
    const { id: owner } = (await admin.get('/auth/user')).body.user as { id: string }
    expect((await admin.post('/serviceaccount', { name: 'Caminhante', owner })).status).toBe(201)
    parents.brain = (await admin.post('/brain', { name: 'Memória', locale: 'pt' })).body.id
  }, LONG)

  const menu = () => page.getByRole('navigation', { name: 'Main menu' })
  const inMenu = (name: string) =>
    menu()
      .getByRole('link', { name: new RegExp(`^${name}( \\d+)?$`, 'u') })
      .click()
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

  /** Goes to the list of an entity as a person does: by the menu, a hub's card or the menu of a bot. */
  const openList = async ({ name, place }: EntityDeclaration): Promise<void> => {
    if (place?.menu === undefined && place?.hub !== undefined) {
      await visit(page, `/botadmin${HUB_ADDRESS[place.hub.page]}`)
      await page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(`^${menuName(name)}`, 'u') })
        .click()
    } else if (place?.bot !== undefined) {
      await visit(page, `/botadmin/bot/${parents.bot}`)
      await inMenu(menuName(name))
    } else if (place?.menu !== undefined) {
      await visit(page, '/botadmin/admin')
      await inMenu(menuName(name))
    } else await visit(page, `/botadmin/${name}/search`)
  }

  const pickFirst = async (field: string): Promise<void> => {
    await page.locator(`[data-field="${field}"]`).getByRole('combobox').click()
    await page
      .locator('[role=option]')
      .filter({ hasNotText: /^None$/u })
      .first()
      .click()
  }

  const create = async (entity: EntityDeclaration): Promise<void> => {
    const parent = parentField(entity)
    for (const name of entity.form.flatMap(({ fields, control }) => (control === undefined ? fields : []))) {
      const field = entity.fields[name]
      const box = page.locator(`[data-field="${name}"]`)
      if (field === undefined || field.readonly || name === parent || LEFT.has(name)) continue
      if (field.to !== undefined) {
        if (field.required && (await box.isVisible())) await pickFirst(name)
        continue
      }
      // Both values are good; a global handler could not be removed. Other types of channels ask for real keys.
      if (field.kind === 'boolean' || (entity.name.endsWith('channel') && name === 'type')) continue
      if (await box.isVisible()) await fill(box, field, name === entity.title ? `Walk ${entity.name}` : 'x')
    }
    if (entity.name === 'conversationtest') await page.getByLabel('File', { exact: true }).fill(testFileOf('Walk'))
    const within = page.locator(`[data-field="${parent}"]`).getByRole('combobox')
    // Either an account or a channel sends a template.
    const isNeeded = entity.name === 'template' || (parent !== undefined && entity.fields[parent]?.required)
    if (parent !== undefined && isNeeded && (await within.isVisible())) await pickFirst(parent)
    await page.getByRole('button', { name: /^Create/u }).click()
  }

  /** Tries while the server fails at one kind of write, and waits until the page says what it could not do. */
  const whileFailing = async (method: 'POST' | 'DELETE', write: () => Promise<void>): Promise<void> => {
    await page.route('**/api/**', route =>
      route.request().method() === method && !route.request().url().endsWith('/names')
        ? route.fulfill({ status: 500 })
        : route.fallback(),
    )
    await write()
    await page
      .getByRole('alert')
      .filter({ hasText: /(could|can) ?not/iu })
      .first()
      .waitFor()
    await page.unroute('**/api/**')
  }

  const openNew = async (entity: EntityDeclaration): Promise<void> => {
    const { name } = entity
    await openList(entity)
    await heading(new RegExp(`^(${textsOf(name).plural}|${menuName(name)})$`, 'u'))
    const pid = parentField(entity) === 'bot' ? `?pid=${parents.bot}` : ''
    const button = page.getByRole('button', { name: `New ${textsOf(name).name.toLowerCase()}` })
    // Lists of their own make new things in a dialog.
    if (entity.page === 'own' && name !== 'bot' && name !== 'user') await visit(page, `/botadmin/${name}/new${pid}`)
    else await button.first().click()
    await heading(`New ${textsOf(name).name.toLowerCase()}`)
    // Some forms come after their heading.
    await page.locator('[data-field]').first().waitFor()
  }

  for (const entity of MADE)
    test(`${entity.name} is made with its form`, async () => {
      const total = async () => (await admin.get(`/${entity.name}?size=1`)).body.total
      const before = await total()
      await openNew(entity)
      await create(entity)
      await eventually(total).toBe(before + 1)
    })

  test.each(WALKED.map(entity => [entity.name, entity] as const))(
    '%s is reached, made, opened with its history and removed, and what was done or not done is told [C-2.53] [C-8.27] [P-117]',
    async (name, entity) => {
      await openNew(entity)
      await whileFailing('POST', () => create(entity))
      await page.getByRole('button', { name: /^Create/u }).click()
      await page
        .getByRole('status')
        .getByText(textsOf(name).message?.saved ?? 'Created')
        .waitFor()
      if (name === 'webhook') {
        // Its secret is shown once; the first close warns.
        const secret = page.getByRole('dialog')
        await secret.getByRole('button', { name: 'Close', exact: true }).last().click()
        await secret.getByRole('button', { name: 'Close anyway' }).click()
      }
      const made = async () =>
        (await admin.get(`/${name}?size=1`)).body.items[0] as { id: string } & Record<string, unknown>
      const title = async () => String((await made())?.[entity.title] ?? '')
      /** A title that is one of a few values is shown in words. */
      const options = textsOf(name).field[entity.title]?.option
      const shown = async () => options?.[await title()] ?? (await title())
      if (options === undefined)
        await eventually(async () => (await title()).toLowerCase()).toMatch(new RegExp(`walk[ _]${name}`, 'u'))
      else await eventually(async () => Object.keys(options).includes(await title())).toBe(true)
      const { id } = await made()

      await page.waitForURL(url => !url.pathname.endsWith('/new'))
      const form = formOf(name, id)
      if (new URL(page.url()).pathname !== form || name === 'dialogtask') await visit(page, `${form}?edit=1`)
      await heading(await shown())
      await page.getByRole('button', { name: 'History', exact: true }).click()
      await page.getByRole('complementary', { name: 'History' }).getByRole('listitem').first().waitFor()
      const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
      await eventually(async () =>
        (await trail.getByRole('listitem').allInnerTexts()).map(text => text.trim()),
      ).toEqual(await trailOf(entity, await shown()))

      await page.getByRole('button', { name: `More actions for ${await shown()}` }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByLabel('Type CONFIRM to go on').fill('CONFIRM')
      const confirm = page.getByRole('button', { name: 'Delete', exact: true })
      await whileFailing('DELETE', () => confirm.click())
      await confirm.click()
      await page
        .getByText(/deleted/iu)
        .first()
        .waitFor()
      await eventually(async () => (await admin.get(`/${name}/${id}`)).status).toBe(404)
      await page.waitForURL(url => url.pathname !== form)
    },
  )

  test.each((isFull ? SINGLES : SINGLES.slice(0, 1)).map(entity => [entity.name, entity] as const))(
    '%s is reached, changed and shown with its history',
    async (name, entity) => {
      await openList(entity)
      await heading(textsOf(name).name)
      const [field = ''] = entity.form.flatMap(({ fields }) => fields)
      for (const [one, value] of Object.entries(WHOLE[name] ?? { [field]: '2' }))
        await page.locator(`[data-field="${one}"]`).locator('input, textarea').first().fill(String(value))
      await page.keyboard.press('Control+s')
      const row = async () =>
        (await admin.get(`/${name}${entity.parent === 'none' ? '' : `?bot=${parents.bot}`}`)).body.items[0]
      await eventually(async () => (await row())?.revision).toBe(1)
      await page.getByRole('button', { name: 'History', exact: true }).click()
      await page.getByRole('complementary', { name: 'History' }).getByRole('listitem').first().waitFor()
    },
  )

  /** Breadcrumb of an entity; its middle is collapsed when it has more than four items. */
  const trailOf = async ({ name, place, parent }: EntityDeclaration, title: string): Promise<readonly string[]> => {
    const list = menuName(name)
    if (['nluproject', 'brain', 'metaapp', 'campaign'].includes(place?.listUnder ?? parent ?? ''))
      return ['Home', '…', list, title]
    if (place?.bot !== undefined && place.hub === undefined) return ['Home', '…', list, title]
    if (place?.hub !== undefined) return ['Home', HUB_NAME[place.hub.page], list, title]
    if (place?.listUnder === 'deskqueue') return ['Home', menuName('deskqueue'), list, title]
    if (name === 'dialog' || name === 'handler') return ['Home', '…', 'Passeio', title]
    return ['Home', list, title]
  }

  test('a version is reached by the menu of its bot', async () => {
    await visit(page, `/botadmin/bot/${parents.bot}`)
    await inMenu('Versions')
    await eventually(() => page.url()).toContain(`/version/search?pid=${parents.bot}`)
  })

  test('shows no section in a bot for entities outside it [P-116]', async () => {
    for (const path of ['bot/settings/user', 'bot/settings/codesample', 'bot/user', 'dialog/user']) {
      await visit(page, `/botadmin/${path}/${parents.bot}`)
      await page.getByText('This page could not be found.').waitFor()
    }
  })

  test('the settings of a bot are cards with the number of its things', async () => {
    await admin.post('/variable', { bot: parents.bot, name: 'convenio' })
    await visit(page, `/botadmin/bot/settings/${parents.bot}`)
    await heading('Bot settings')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Variables 1/u })
      .click()
    await page.getByRole('link', { name: 'convenio' }).waitFor()
  })

  test('a permission is given in the form of a role and on its own page [P-119]', async () => {
    const { id } = (await admin.post('/role', { name: 'Leitor' })).body
    const actions = async () => (await admin.get(`/role/${id}`)).body.actions
    await visit(page, `/botadmin/role/${id}`)
    await page
      .getByText('Read: Bot', { exact: true })
      .or(page.getByLabel('Read: Bot', { exact: true }))
      .first()
      .check({ force: true })
    await page.getByText('1 unsaved change').waitFor()
    await page.keyboard.press('Control+s')
    await eventually(actions).toEqual(['readbot'])
    await visit(page, `/botadmin/role/actionandservices/${id}`)
    await page.getByLabel('Audit', { exact: true }).check({ force: true })
    await page.keyboard.press('Control+s')
    await eventually(actions).toEqual(['readaudit', 'readbot'])
  })

  test('the first load has no texts of an entity but its names [P-118]', () => {
    const dist = join(ROOT, 'web/dist')
    const html = readFileSync(join(dist, 'index.html'), 'utf8')
    const named = [...html.matchAll(/(?:src|href)="\/botadmin\/([^"]+\.js)"/gu)].map(([, file]) => file ?? '')
    const loaded = [...named, ...globSync('assets/text-en-*.js', { cwd: dist })]
    const first = loaded.map(file => readFileSync(join(dist, file), 'utf8')).join('\n')
    for (const { name } of DECLARED) {
      const { purpose } = JSON.parse(readFileSync(join(ROOT, 'schemas/locales/en/entity', `${name}.json`), 'utf8'))
      expect(first, name).not.toContain(purpose)
      expect(first, name).toContain(textsOf(name).plural)
    }
  })
})
