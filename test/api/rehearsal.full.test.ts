import { expect, test, vi } from 'vitest'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { plainBlock } from '#test/fixture/flow-parts.ts'
import { makeFlowBot, NAME_AND_AGE } from './chat-bot.ts'
import { discard } from './harness.ts'
import { openChat } from './open-chat.ts'
import { openParley } from './open-parley.ts'

type Rehearsal = AnswerOf<'GET /rehearsal/{id}'>

const MOST = 1_000
/** Older conversations, which a rehearsal leaves out, and conversations without a word of a person. */
const OLDER = 15
const SILENT = 10
const TOGETHER = 5
const WHOLE_MS = 60_000

const ELSEWHERE = {
  ...NAME_AND_AGE,
  operators: { ...NAME_AND_AGE.operators, club: plainBlock('text', 400, { text: 'Bem-vindo ao clube' }) },
  links: { ...NAME_AND_AGE.links, c: { ...NAME_AND_AGE.links.c, toOperator: 'club' } },
}

test('runs the newest 1,000 conversations in which a person wrote, within a minute [P-2824]', async () => {
  const parley = await openParley()
  try {
    const admin = await parley.signIn()
    const { bot, dialog, channel } = await makeFlowBot(admin, { name: 'Mil' }, NAME_AND_AGE)
    const talk = async (count: number, words: readonly string[]) => {
      for (let made = 0; made < count; made += TOGETHER)
        await Promise.all(Array.from({ length: TOGETHER }, () => openChat(parley.origin, channel, words)))
    }
    await talk(OLDER, ['Ana'])
    await talk(MOST, ['Ana', '30'])
    await talk(SILENT, [])
    const all = OLDER + MOST + SILENT
    await vi.waitFor(async () => expect((await admin.get(`/conversation?bot=${bot}`)).body.total).toBe(all), 60_000)

    expect((await admin.put(`/dialog/${dialog}/flow`, ELSEWHERE)).status).toBe(200)
    const begun = await admin.post(`/bot/${bot}/rehearsal`, { dialogs: [dialog] })
    const { rehearsal } = begun.body as unknown as Rehearsal
    const found = await vi.waitFor(
      async () => {
        const { body } = await admin.get(`/rehearsal/${rehearsal}`)
        expect(body.state).not.toBe('running')
        return body as unknown as Rehearsal
      },
      { timeout: 2 * WHOLE_MS, interval: 200 },
    )
    console.info(`${found.done} conversations in ${found.ms} ms`)
    expect(found).toMatchObject({ state: 'done', total: MOST, done: MOST, same: 0, elsewhere: MOST, unknown: [] })
    expect(found.groups.map(({ count }) => count)).toEqual([MOST])
    expect(found.ms).toBeLessThan(WHOLE_MS)
  } finally {
    await discard(parley)
  }
}, 900_000)
