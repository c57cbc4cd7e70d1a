import { expect, test } from 'vitest'
import type { Notification } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
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
  'metricalert.crossed': { value: 52.5, threshold: 60, unit: '%' },
  'metricalert.ended': { value: 61, unit: '%' },
  'bot.week': { started: 120, contained: 75, unit: '%' },
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
      const values: Readonly<Record<string, unknown>> = { name: 'Loja', actor: 'rui', ...PARAMS[message] }
      const text = await textOf(message, language)
      expect(text, message).not.toContain('{{')
      for (const [, key = ''] of template.matchAll(/\{\{(.*?)\}\}/g)) {
        expect(values, message).toHaveProperty([key])
        const shown = values[key]
        expect(text, message).toContain(typeof shown === 'number' ? shown.toLocaleString(language) : shown)
      }
    }
})
