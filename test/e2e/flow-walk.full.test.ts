import { afterAll, describe, expect, test, vi } from 'vitest'
import { openAdmin } from '#test/api/open-parley.ts'
import { wholeSample } from '#test/fixture/whole-sample.ts'
import { FLOWS, helpDesk, realFlow } from '#test/walk/real-flow.ts'
import { WalkServer } from '#test/walk/walk-server.ts'
import { closeWindows, inBrowser, LONG, openBrowser } from './browser.ts'
import { chatViolations } from './chat-violations.ts'
import { ChatWindow } from './chat-window.ts'
import { type Exchange, OPENINGS, REAL_TALKS, SAMPLE_TALKS } from './fixture/chat-talks.ts'

inBrowser('a started bot in its web chat', { timeout: LONG }, async () => {
  const server = await WalkServer.open(helpDesk)
  const { parley, admin } = await openAdmin({ env: { PARLEY_SAMPLE: 'on', ALLOW_PRIVATE_ADDRESSES: 'true' } })
  const browser = await openBrowser()
  afterAll(async () => {
    await closeWindows()
    server.close()
  })

  const hold = async (
    channel: string,
    view: { readonly width: number; readonly dark: boolean },
    talk: readonly Exchange[],
    opening?: string,
  ) => {
    const chat = await ChatWindow.open(browser, parley.origin, channel, view)
    if (opening !== undefined) await chat.told(opening).waitFor()
    for (const exchange of talk) {
      await chat.exchange(exchange)
      await chat.seen()
      expect(await chat.overflows()).toEqual([])
      if (exchange.isStation) expect(await chatViolations(chat.page)).toEqual([])
    }
    const pictures = chat.page.locator('.log img')
    const isShown = (image: Element) => (image as HTMLImageElement).naturalWidth > 0
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      await vi.waitFor(async () => expect(await picture.evaluate(isShown)).toBe(true), { timeout: 10_000 })
    }
    expect(chat.errors).toEqual([])
    await chat.close()
  }

  describe('a flow that people use', () => {
    const started = async (name: string): Promise<string> => {
      const made = (entity: string, fields: object) => admin.create(entity, fields)
      const { bot, task, dialog } = await admin.createDialog({ name }, name, name)
      await admin.put(`/dialog/${dialog}/flow`, realFlow(name, server.origin))
      await admin.post(`/dialog/${dialog}/publish`)
      await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
      await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
      const channel = await made('channel', { bot, type: 'webchat' })
      expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
      return channel
    }

    const views = [
      { width: 1440, dark: false },
      { width: 390, dark: true },
      { width: 1440, dark: true },
    ]
    test.each(FLOWS.map(({ name }, at) => ({ name, width: 1440, dark: false, ...views[at % views.length] })))(
      '$name is talked to at a width of $width, dark: $dark [P-1036] [P-1039]',
      async ({ name, ...view }) => {
        const talk = REAL_TALKS[name] ?? []
        expect(talk).not.toEqual([])
        await hold(await started(name), view, talk)
      },
    )
  })

  test.each([
    { name: 'Clara', width: 390, dark: false },
    { name: 'Ventania', width: 1440, dark: true },
    { name: 'Lume', width: 390, dark: true },
  ])('$name of the sample is talked to at a width of $width, dark: $dark [P-1037]', async ({ name, ...view }) => {
    await wholeSample(admin, LONG - 20_000)
    const [bot] = (await admin.get(`/bot?search=${name}`)).body.items
    const [channel] = (await admin.get(`/channel?bot=${bot?.id}&type=webchat`)).body.items
    if (bot?.runningstatus === 'stopped') await admin.post(`/bot/${bot.id}/start`)
    await hold(String(channel?.id), view, SAMPLE_TALKS[name] ?? [], OPENINGS[name])
  })
})
