import { expect, test } from 'vitest'
import { LANGUAGES } from '#schemas/language.ts'
import { discard } from './harness.ts'
import { openParley } from './open-parley.ts'

test('makes a bot of each template in each language, whose tests let it be published [P-2484]', async () => {
  const parley = await openParley()
  try {
    const admin = await parley.signIn()
    for (const language of LANGUAGES) {
      const headers = { 'content-type': 'application/json', 'accept-language': language }
      const offered = (await admin.send('GET', '/bottemplate', { headers })).body.items as unknown as {
        key: string
        name: string
        tests: number
      }[]
      expect(offered).toHaveLength(10)
      for (const { key, name, tests } of offered) {
        const body = JSON.stringify({ name: `${name} ${language}` })
        const made = await admin.send('POST', `/bottemplate/${key}`, { headers, body })
        expect(made.status, made.text).toBe(201)
        const { bot, dialog } = made.body as unknown as { bot: string; dialog: string }
        const kept = (await admin.get(`/conversationtest?bot=${bot}`)).body.items
        expect(kept.map(({ gating }) => gating)).toEqual(Array.from({ length: tests }, () => true))
        // A test that fails refuses it.
        const published = await admin.post(`/dialog/${dialog}/publish`, {})
        expect(published.status, `${key} ${language} ${published.text}`).toBe(200)
        const started = await admin.post(`/bot/${bot}/start`, {})
        expect(started.status, started.text).toBe(200)
      }
    }
    const again = await admin.post('/bottemplate/none', { name: 'Nada' })
    expect(again.status).toBe(404)
  } finally {
    await discard(parley)
  }
}, 300_000)
