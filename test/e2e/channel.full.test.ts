import { afterAll, expect, test } from 'vitest'
import { CHANNEL_TYPES } from '#schemas/channel-type.ts'
import { ADMIN_PASSWORD } from '#test/api/harness.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { startTelegram, TELEGRAM_BOT, TELEGRAM_TOKEN } from '#test/doubles/telegram-server.ts'
import { closeWindows, eventually, inBrowser, LONG, openBrowser, openWindow, visit } from './browser.ts'
import { violations } from './violations.ts'

/** Fields of an account that only some types have. */
const ACCOUNT = [
  ...['account_id', 'auth_token', 'sender_number', 'username', 'password', 'pagetoken', 'verifytoken', 'app_secret'],
  ...['channel_id', 'channel_password', 'channel_extra_id', 'callback_url', 'channel_verify_token', 'url'],
]

inBrowser('channels of a bot', { timeout: LONG }, async () => {
  const telegram = await startTelegram()
  const env = { PARLEY_SAMPLE: 'off', ALLOW_PRIVATE_ADDRESSES: 'true', BOT_ROUTER_URL: 'https://bots.example.com' }
  const { parley, admin } = await openAdmin({ env })
  const bot = (await admin.post('/bot', { name: 'Lume' })).body.id
  const browser = await openBrowser()
  const page = await openWindow(browser, parley, { username: 'admin', password: ADMIN_PASSWORD })
  afterAll(async () => {
    await closeWindows()
    telegram.close()
  })

  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const shown = async () => {
    const found: string[] = []
    for (const name of ACCOUNT) if (await field(name).isVisible()) found.push(name)
    return found.sort()
  }

  test('a new channel asks for the fields of its type alone, under the names that its provider gives them [P-2246]', async () => {
    await visit(page, `/botadmin/channel/new?pid=${bot}`)
    for (const [type, asked] of [
      ['telegram', ['auth_token', 'url']],
      [
        'whatsapp_twilio',
        ['account_id', 'auth_token', 'channel_verify_token', 'password', 'sender_number', 'url', 'username'],
      ],
      ['whatsapp_zenvia', ['auth_token', 'channel_verify_token', 'sender_number', 'url']],
      ['facebook', ['app_secret', 'pagetoken', 'url', 'verifytoken']],
      ['rest', ['callback_url', 'channel_password', 'channel_verify_token']],
    ] as const) {
      await field('type').locator(`input[value=${type}]`).check()
      await eventually(shown).toEqual([...asked])
      const ofOthers = ACCOUNT.filter(name => !(CHANNEL_TYPES[type].fields as readonly string[]).includes(name))
      expect((await shown()).filter(name => ofOthers.includes(name))).toEqual([])
    }
    await field('type').locator('input[value=whatsapp_twilio]').check()
    expect(await field('account_id').textContent()).toContain('Account SID')
    await field('type').locator('input[value=telegram]').check()
    expect(await field('auth_token').textContent()).toMatch(/Bot token.*@BotFather/)
    expect(await violations(page)).toEqual([])
  })

  test('an incomplete channel is not enabled by its switch, which names the fields and leads to the first [P-2247]', async () => {
    const { id } = (await admin.post('/channel', { bot, type: 'whatsapp_gupshup', name: 'Loja' })).body
    await visit(page, `/botadmin/bot/channel/${bot}`)
    await page.locator(`[data-channel="${id}"]`).getByRole('switch').click()
    const notice = page.getByText('Loja is not enabled: Sender number, App name, API key, Verify token are missing')
    await notice.waitFor()
    expect((await admin.get(`/channel/${id}`)).body).toMatchObject({ enable: false, revision: 1 })
    await page.getByRole('button', { name: 'Fill in' }).click()
    await eventually(() => new URL(page.url()).pathname).toBe(`/botadmin/channel/${id}`)
    await eventually(() =>
      field('sender_number')
        .locator('input')
        .evaluate(input => input === document.activeElement),
    ).toBe(true)
    await page.getByRole('switch', { name: 'Enabled' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('button', { name: /^API key: / }).waitFor()
  })

  test('a Telegram channel is connected from its page, which names the bot and the type of each message [P-2248]', async () => {
    const fields = { bot, type: 'telegram', name: 'Telegram', url: telegram.url, auth_token: TELEGRAM_TOKEN }
    const { id } = (await admin.post('/channel', fields)).body
    await eventually(() => telegram.hook.url).toContain(id)
    telegram.hook.url = ''
    await visit(page, `/botadmin/channel/${id}?pid=${bot}`)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('Telegram does not call this channel yet').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('@lume_bot').waitFor()
    expect(telegram.hook.url).toContain(id)
    const chat = { id: 4, type: 'private' }
    const location = { latitude: 1, longitude: 2 }
    const message = { message_id: 1, from: { id: 4 }, chat, date: Math.floor(Date.now() / 1000), location }
    expect((await telegram.update(parley.origin, { message })).status).toBe(200)
    await eventually(() => page.getByRole('complementary').textContent()).toMatch(/· place/)
    expect(await violations(page)).toEqual([])
    await visit(page, `/botadmin/bot/channel/${bot}`)
    expect(await page.locator(`[data-channel="${id}"]`).textContent()).toContain(`Telegram · ${TELEGRAM_BOT}`)
  })
})
