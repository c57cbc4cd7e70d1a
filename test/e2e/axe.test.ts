import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, type Client } from '#test/api/harness.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { isFull } from '#test/fixture/full.ts'
import { inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { makeDialog } from './designer.ts'
import { CLINIC_FLOW } from './fixture/clinic-flow.ts'
import { violations } from './violations.ts'

interface Ids {
  readonly bot: string
  readonly task: string
  readonly dialog: string
  readonly handler: string
  readonly sample: string
  readonly removed: string
  readonly version: string
  readonly user: string
  readonly role: string
  readonly provider: string
}

interface Screen {
  readonly name: string
  readonly path: (ids: Ids) => string
  /** Steps before the check; waits until the screen is complete. */
  readonly prepare: (page: Page) => Promise<unknown>
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).first().waitFor()
const rows = (page: Page) => page.getByRole('table').or(page.getByRole('list')).first().waitFor()
const list = async (page: Page) => {
  await heading(page)
  await rows(page)
}
const canvas = (page: Page) => page.locator('[data-block]').first().waitFor()
const press = (keys: string, shown: (page: Page) => Promise<unknown>) => async (page: Page) => {
  await heading(page)
  await page.keyboard.press(keys)
  await shown(page)
}

const SCREENS: readonly Screen[] = [
  { name: 'home', path: () => '', prepare: page => page.getByRole('main').first().waitFor() },
  { name: 'bots', path: () => 'bot/search', prepare: list },
  {
    name: 'help beside a page',
    path: () => 'audit',
    prepare: press('F1', page => page.locator('[data-help-panel]').getByRole('article').waitFor()),
  },
  { name: 'bots as cards', path: () => 'bot/search?view=cards', prepare: heading },
  { name: 'a new bot', path: () => 'bot/new', prepare: heading },
  { name: 'a bot', path: ids => `bot/${ids.bot}`, prepare: heading },
  {
    name: 'the history of a bot',
    path: ids => `bot/${ids.bot}?history=1`,
    prepare: async page => {
      await page.getByRole('complementary', { name: 'History' }).getByRole('button').nth(1).click()
      await page.getByText(/^Change r/).waitFor()
    },
  },
  {
    name: 'removing a bot',
    path: ids => `bot/${ids.bot}`,
    prepare: async page => {
      await page.getByRole('button', { name: 'More actions for Clínica' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByLabel('Type CONFIRM to go on').waitFor()
    },
  },
  { name: 'tasks', path: ids => `bot/dialogtask/${ids.bot}`, prepare: heading },
  {
    name: 'a task',
    path: ids => `dialogtask/${ids.task}`,
    prepare: page => page.getByRole('link', { name: 'Principal' }).waitFor(),
  },
  { name: 'variables', path: ids => `bot/settings/variable/${ids.bot}`, prepare: heading },
  {
    name: 'versions',
    path: ids => `version/search?pid=${ids.bot}`,
    prepare: page => page.getByRole('heading', { level: 2 }).first().waitFor(),
  },
  { name: 'code samples', path: () => 'codesample/search', prepare: list },
  {
    name: 'a token that was just made',
    path: () => 'apitoken/new',
    prepare: async page => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Nightly')
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByText('Token created. Copy it now.').waitFor()
    },
  },
  { name: 'tokens', path: () => 'access', prepare: list },
  {
    name: 'nothing found',
    path: () => 'codesample/search?search=zzzz',
    prepare: page => page.getByText('Nothing matches').waitFor(),
  },
  {
    name: 'an unsaved form',
    path: ids => `codesample/${ids.sample}`,
    prepare: async page => {
      await page.getByLabel('Description', { exact: true }).fill('Outra')
      await page.getByText('1 unsaved change').waitFor()
    },
  },
  {
    name: 'something removed',
    path: ids => `codesample/${ids.removed}`,
    prepare: page => page.getByText(/^Deleted by/).waitFor(),
  },
  { name: 'global variables', path: () => 'globalvariable/search', prepare: heading },
  { name: 'bot messages', path: () => 'localemessage/search', prepare: heading },
  { name: 'a JSON path', path: () => 'tools/jsonpathonline', prepare: heading },
  { name: 'inspiration', path: () => 'inspire', prepare: heading },
  { name: 'reports that are not set up', path: () => 'reports', prepare: heading },
  { name: 'release notes', path: () => 'releasenote/search', prepare: heading },
  { name: 'admin', path: () => 'admin', prepare: heading },
  { name: 'application settings', path: () => 'appsettings/search', prepare: heading },
  { name: 'users', path: () => 'user/search', prepare: list },
  { name: 'a user', path: ids => `user/${ids.user}`, prepare: heading },
  { name: 'user groups', path: () => 'usergroup/search', prepare: heading },
  { name: 'a role', path: ids => `role/${ids.role}`, prepare: heading },
  { name: 'the permissions of a role', path: ids => `role/actionandservices/${ids.role}`, prepare: heading },
  {
    name: 'an identity provider',
    path: ids => `identityprovider/${ids.provider}`,
    prepare: async page => {
      await heading(page)
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      await page.getByText('The provider can not be used').waitFor()
    },
  },
  { name: 'levels', path: () => 'hierarchy', prepare: heading },
  {
    name: 'the audit',
    path: () => 'audit',
    prepare: async page => {
      await page.getByRole('button', { name: / at / }).first().click()
      await page.getByText('Changes', { exact: true }).first().waitFor()
    },
  },
  {
    name: 'changing the password',
    path: () => 'password/passwordchange',
    prepare: page => page.getByLabel('Original password').waitFor(),
  },
  { name: 'registering a second factor', path: () => 'account/twofactor', prepare: heading },
  { name: 'an address that leads nowhere', path: () => 'nowhere', prepare: heading },
  {
    name: 'the command palette',
    path: () => 'bot/search',
    prepare: press('Control+k', page => page.getByRole('listbox').getByRole('option').first().waitFor()),
  },
  {
    name: 'the level picker',
    path: () => 'bot/search',
    prepare: async page => {
      await page.getByRole('button', { name: /^Hierarchy level: / }).click()
      await page.getByRole('treeitem').first().waitFor()
    },
  },
  {
    name: 'the notifications',
    path: () => 'bot/search',
    prepare: async page => {
      await page.getByRole('button', { name: /^Notifications/ }).click()
      await page.getByText('Nothing new').or(page.getByRole('dialog')).first().waitFor()
    },
  },
  { name: 'the designer', path: ids => `designer/dialog/${ids.dialog}`, prepare: canvas },
  {
    name: 'the inspector of a question',
    path: ids => `designer/dialog/${ids.dialog}`,
    prepare: async page => {
      await page.locator('[data-block="menu"]').click()
      await page.getByRole('complementary', { name: 'Inspector' }).getByRole('textbox').first().waitFor()
    },
  },
  {
    name: 'what is to be checked in a flow',
    path: ids => `designer/dialog/${ids.dialog}`,
    prepare: async page => {
      await page.getByRole('button', { name: /to check$/ }).click()
      await page
        .getByText(/warnings?$/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'the block search',
    path: ids => `designer/dialog/${ids.dialog}`,
    prepare: async page => {
      await page.getByRole('button', { name: 'Add a block' }).click()
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'the outline of a flow',
    path: ids => `designer/dialog/${ids.dialog}`,
    prepare: async page => {
      await canvas(page)
      await page.keyboard.press('o')
      await page.getByText('Outline', { exact: true }).first().waitFor()
    },
  },
  {
    name: 'a handler',
    path: ids => `designer/handler/${ids.handler}`,
    prepare: canvas,
  },
  {
    name: 'the past of a flow',
    path: ids => `designer/dialog/${ids.dialog}`,
    prepare: async page => {
      await page.getByRole('button', { name: 'History', exact: true }).click()
      await page.getByRole('slider', { name: 'Moment shown' }).waitFor()
      await page.getByRole('region', { name: 'What changed' }).getByRole('listitem').first().waitFor()
    },
  },
]

inBrowser('every screen keeps the rules of accessibility', { timeout: LONG }, async () => {
  const { parley, admin } = await openAdmin()
  const ids = await furnish(admin)
  const page = await openWindow(await openBrowser(), parley, { username: 'admin', password: ADMIN_PASSWORD })

  // One screen of each kind; all of them in the full run.
  const KINDS = new Set([
    'home',
    'bots',
    'bots as cards',
    'a bot',
    'an unsaved form',
    'the audit',
    'levels',
    'the designer',
  ])
  test.each(isFull ? SCREENS : SCREENS.filter(({ name }) => KINDS.has(name)))('$name', async ({ path, prepare }) => {
    await visit(page, `/botadmin/${path(ids)}`)
    await prepare(page)
    expect(await violations(page)).toEqual([])
  })

  test('signing in', async () => {
    await page.context().clearCookies()
    await page.goto('/botadmin/login?failed=auth.nogroup')
    await page.getByRole('link', { name: 'Sign in with Aurora' }).waitFor()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This is required').first().waitFor()
    expect(await violations(page)).toEqual([])
  })
})

async function furnish(admin: Client): Promise<Ids> {
  const made = (entity: string, fields: object) => admin.create(entity, fields)
  const drawn = await makeDialog(admin, CLINIC_FLOW)
  await admin.put(`/dialog/${drawn.dialog}/flow`, { ...CLINIC_FLOW, links: {} })
  await admin.patch(`/bot/${drawn.bot}`, { description: 'Marca consultas' }, 1)
  await made('globalvariable', { name: 'endereco', value: 'https://clinica.example' })
  const removed = await made('codesample', { name: 'Antigo' })
  await admin.delete(`/codesample/${removed}`)
  const role = await made('role', { name: 'Leitura', actions: ['readbot', 'readdialog'] })
  const group = await made('usergroup', { name: 'Leitores', roles: [role] })
  return {
    ...drawn,
    removed,
    role,
    handler: await made('handler', { name: 'Preço', dialogtask: drawn.task }),
    sample: await made('codesample', { name: 'Máscara', description: 'De CPF' }),
    provider: await made('identityprovider', { name: 'Aurora', issuer: 'http://127.0.0.1:1', client_id: 'parley' }),
    version: await made('version', { bot: drawn.bot, name: 'Primeira' }),
    user: await made('user', { username: 'ana', firstname: 'Ana', password: 'Segredo-2026!', usergroup: [group] }),
  }
}
