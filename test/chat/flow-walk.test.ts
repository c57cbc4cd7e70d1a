import { afterAll, describe, expect, test } from 'vitest'
import { settingsWith } from '#domain/conversation/fixture/talk.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { isFull } from '#test/fixture/full.ts'
import { ChatWalk, WALK_TOKEN } from '#test/walk/chat-walk.ts'
import { Explorer } from '#test/walk/explorer.ts'
import { outputsOf } from '#test/walk/linked-outputs.ts'
import { compiledFile, FLOWS, helpDesk, realFlow } from '#test/walk/real-flow.ts'
import { WalkServer } from '#test/walk/walk-server.ts'

/** Some hundred turns: seconds on a machine that has nothing else to do. */
const WALK_MS = 240_000

/** The smallest shows that a chat walks as the engine does; test/conversation/real-flow.test.ts walks all without a chat. */
const WALKED = isFull ? FLOWS : FLOWS.toSorted((a, b) => a.reachable - b.reachable).slice(0, 1)

describe('a flow that people use, published and started', async () => {
  const server = await WalkServer.open(helpDesk)
  const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
  afterAll(async () => {
    server.close()
  })

  const started = async (name: string, file: object) => {
    const made = (entity: string, fields: object) => admin.create(entity, fields)
    const { bot, task, dialog } = await admin.createDialog({ name }, name, name)
    expect((await admin.put(`/dialog/${dialog}/flow`, file)).status).toBe(200)
    expect((await admin.post(`/dialog/${dialog}/publish`)).status).toBe(200)
    await admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1)
    await admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1)
    const channel = await made('channel', { bot, type: 'webchat', channel_verify_token: WALK_TOKEN })
    expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
    return { channel, dialog }
  }

  test.each(WALKED)(
    '$name covers in its chat each of its $reachable reachable outputs, with its help desk answering well, badly and not at all [R-26] [P-988] [P-1033]',
    async ({ name, reachable, dead }) => {
      const file = realFlow(name, server.origin)
      const { channel, dialog } = await started(name, file)
      const flow = compiledFile(dialog, file)
      const outputs = outputsOf(flow)
      expect([outputs.reachable.size, outputs.dead.size]).toEqual([reachable, dead])

      const explorer = new Explorer({
        release: { dialogs: new Map([[dialog, flow]]), handlers: new Map() },
        settings: settingsWith({
          tasks: new Map([['task', { id: 'task', name, principal: dialog, utterances: [] }]]),
        }),
        service: helpDesk,
        wanted: new Set([...outputs.reachable].map(output => `${dialog} ${output}`)),
        // A chat that is a bridge to another channel says so.
        people: [{}, { source: 'WhatsApp' }, { source: '' }],
      })
      await explorer.explore()
      const reached = await new ChatWalk(parley, admin, channel, server).walk(explorer.longest)

      expect([...outputs.reachable].filter(output => !reached.has(`${dialog} ${output}`))).toEqual([])
      expect([...outputs.dead].filter(output => reached.has(`${dialog} ${output}`))).toEqual([])
    },
    WALK_MS,
  )
})
