import { expect, test } from 'vitest'
import type { Notification } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { noticeParams } from '#runtime/localized-text.ts'
import { LANGUAGES, type Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/shell.json' with { type: 'json' }
import es from '#schemas/locales/es/shell.json' with { type: 'json' }
import pt from '#schemas/locales/pt/shell.json' with { type: 'json' }
import { withTexts } from './notification.ts'

const SHELLS = { en, es, pt } as const satisfies Record<Language, unknown>
/** Values of messages beside the name of the thing and the person. */
const PARAMS: Readonly<Record<string, Notification['params']>> = {
  'channel.unrouted': { number: '+5511987650001' },
  'channel.token': { detail: '1' },
  'user.linked': { host: 'id.aurora.example' },
  'user.linkedanew': { host: 'id.aurora.example' },
  'metricalert.crossed': { value: 52.5, threshold: 60, unit: '%' },
  'metricalert.ended': { value: 61, unit: '%' },
  'apitoken.expiring': { days: 3 },
  'bot.week': { started: 120, contained: 75, unit: '%' },
  'campaign.paused': { reason: 'template' },
  'campaign.waiting': { reason: 'window' },
  'campaign.completed': { sent: 98, total: 100 },
  'campaign.expired': { sent: 98, total: 100 },
  'campaign.unknown': { count: 2 },
  'campaign.optouts': { count: 3, sent: 98 },
  'metaaccount.limitlowered': { people: 250 },
  'metaaccount.limitraised': { people: 2000 },
}

const read = { names: async () => ({ channel: { c1: 'Loja' } }) } as unknown as Parameters<typeof withTexts>[0]
const textOf = async (message: string, language: Language): Promise<string | undefined> => {
  const params = PARAMS[message] ?? {}
  const item = { message, params, entity: 'channel', entityid: 'c1', actor: { username: 'rui' } }
  return (await withTexts(read, SYSTEM_SCOPE, [item as unknown as Notification], language))[0]?.text
}

test('names the number, the thing and the days in a text [P-2212]', async () => {
  expect(await textOf('channel.unrouted', 'en')).toBe('Messages arrive for +5511987650001, which no channel has')
  expect(await textOf('channel.token', 'en')).toBe('The token of Loja ends soon. Days left: 1')
})

test.each(LANGUAGES)('texts of notifications have all their values: %s [P-2212]', async language => {
  for (const [subject, verbs] of Object.entries(SHELLS[language].bell.message))
    for (const [verb, template] of Object.entries<string>(verbs)) {
      const message = `${subject}.${verb}`
      const params = noticeParams(language, message, PARAMS[message] ?? {})
      const values: Readonly<Record<string, unknown>> = { name: 'Loja', actor: 'rui', ...params }
      const text = await textOf(message, language)
      expect(text, message).not.toContain('{{')
      expect(text, message).not.toContain('undefined')
      for (const [, key = ''] of template.matchAll(/\{\{(.*?)\}\}/g)) {
        expect(values, message).toHaveProperty([key])
        const shown = values[key]
        expect(text, message).toContain(typeof shown === 'number' ? shown.toLocaleString(language) : shown)
      }
    }
})

test('names the reason of a paused campaign in words [P-2716]', async () => {
  const paused = async (reason: string, language: Language = 'en') => {
    const item = { message: 'campaign.paused', params: { reason }, entity: 'channel', entityid: 'c1' }
    return (await withTexts(read, SYSTEM_SCOPE, [item as unknown as Notification], language))[0]
  }
  expect((await paused('template'))?.text).toBe(
    'The campaign Loja does not send. It was stopped: the template may not be sent now',
  )
  expect((await paused('131042'))?.text).toBe(
    'The campaign Loja does not send. It was stopped: the provider refuses with the code 131042',
  )
  expect((await paused('gone', 'pt'))?.text).toBe(
    'A campanha Loja não está enviando. Foi parada: o modelo, o número ou a conta não existe mais',
  )
  // The console draws the sentence itself.
  expect((await paused('template'))?.params).toMatchObject({ why: 'It was stopped: the template may not be sent now' })
})
