import { afterAll, expect, test } from 'vitest'
import type { Release } from '#domain/conversation/release.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { wholeSample } from '#test/fixture/whole-sample.ts'
import { ChatWalk, WALK_TOKEN } from '#test/walk/chat-walk.ts'
import { Explorer } from '#test/walk/explorer.ts'
import { type Output, outputsOf } from '#test/walk/linked-outputs.ts'
import { readSampleBot, releaseOfSample, type SampleBot, sampleService, walkedFlow } from '#test/walk/sample-bot.ts'
import { WalkServer } from '#test/walk/walk-server.ts'

/** Making the sample and some hundred turns: seconds on a machine that has nothing else to do. */
const WALK_MS = 240_000

const server = await WalkServer.open(sampleService())
const { parley, admin } = await openAdmin({ env: { PARLEY_SAMPLE: 'on', ALLOW_PRIVATE_ADDRESSES: 'true' } })
await wholeSample(admin, WALK_MS - 20_000)
afterAll(async () => {
  server.close()
})

/** Publishes a bot's flows for a walk: with the test's service, open all day or never. */
const publish = async ({ flows }: SampleBot, isOpen: boolean) => {
  const walked = new Map([...flows].map(([id, file]) => [id, walkedFlow(file, server.origin, isOpen)]))
  for (const [id, file] of walked) {
    expect((await admin.put(`/dialog/${id}/flow`, file)).status).toBe(200)
    expect((await admin.post(`/dialog/${id}/publish`)).status).toBe(200)
  }
  return walked
}

/** Outputs of a release that users can reach, in hours or out of them, and unreachable ones. */
const outputsIn = ({ dialogs }: Release, isOpen?: boolean) => {
  const shut = isOpen === undefined ? '' : isOpen ? 'output_outside' : 'output_1'
  const found = [...dialogs.values()].map(flow => ({
    dialog: flow.dialog,
    ...outputsOf(flow, ({ type }, output) => type === 'workinghour' && output === shut),
  }))
  const reachable = found.flatMap(({ dialog, reachable }) => [...reachable].map(output => `${dialog} ${output}`))
  return { reachable, dead: found.flatMap(({ dead }) => [...dead]) }
}

test.each([
  ['Clara', 103, ['entrada-5 output_default']],
  ['Lume', 204, ['boas-vindas-7 output_default']],
  ['Ventania', 71, []],
])(
  'the bot %s of the sample covers in its chat each of the %i reachable outputs of its flows, with its services answering well, badly and not at all, in and out of hours [P-1034]',
  async (name, count, dead) => {
    const bot = await readSampleBot(admin, name)
    const outputs = outputsIn(releaseOfSample(bot, bot.flows))
    expect([outputs.reachable.length, outputs.dead]).toEqual([count, dead])
    // NLU is covered elsewhere: here users press and write the inputs that the flow expects.
    const quiet = await admin.patch(`/bot/${bot.row.id}`, { nluenabled: false }, Number(bot.row.revision))
    expect(quiet.status, quiet.text).toBe(200)
    // Agents take nobody, as in the walk over the flows: a person who waits for one reaches no further output.
    for (const { id, revision } of (await admin.get(`/agentchannel?bot=${bot.row.id}`)).body.items)
      expect((await admin.patch(`/agentchannel/${id}`, { enable: false }, Number(revision))).status).toBe(200)
    const made = await admin.post('/channel', { bot: bot.row.id, type: 'webchat', channel_verify_token: WALK_TOKEN })
    if (bot.row.runningstatus === 'stopped') await admin.post(`/bot/${bot.row.id}/start`)

    const reached = new Set<Output>()
    for (const isOpen of [true, false]) {
      const release = releaseOfSample(bot, await publish(bot, isOpen))
      const wanted = outputsIn(release, isOpen).reachable.filter(output => !reached.has(output))
      const explorer = new Explorer({
        release,
        settings: bot.settings,
        service: sampleService(),
        wanted: new Set(wanted),
      })
      await explorer.explore()
      const walk = new ChatWalk(parley, admin, made.body.id, server)
      for (const output of await walk.walk(explorer.longest)) reached.add(output)
    }

    expect(outputs.reachable.filter(output => !reached.has(output))).toEqual([])
  },
  WALK_MS,
)
