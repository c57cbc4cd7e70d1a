import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostedParley, openParley } from '#test/api/open-parley.ts'
import type { Client } from '../api/harness.ts'
import { discard } from '../api/harness.ts'

let parley: HostedParley
let admin: Client
beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
})
afterAll(() => discard(parley))

const TASKS = 8
const DIALOGS = Number(process.env.VERSION_DIALOGS ?? 10)
const BLOCKS = 60

const block = (n: number, text: string) => ({
  type: 'text',
  title: `Text ${n}`,
  top: n * 10,
  left: 0,
  properties: { text: `<p>${text} ${n}</p>` },
})

/** A version file of flows that people could draw, with a text of some length in each block. */
const versionOf = (said: string): string => {
  const flow = (seed: number) => ({
    format: 'parley-flow',
    version: 1,
    operators: Object.fromEntries(
      Array.from({ length: BLOCKS }, (_, n) => [`b${n}`, block(n, `${said} ${seed} ${'lorem ipsum '.repeat(100)}`)]),
    ),
    links: {},
  })
  const dialogtasks = Array.from({ length: TASKS }, (_, task) => ({
    name: `Task ${task}`,
    dialogs: Array.from({ length: DIALOGS }, (_, at) => ({ name: `Dialog ${at}`, flow: flow(task * DIALOGS + at) })),
  }))
  return JSON.stringify({ format: 'parley-version', version: 1, name: 'Large', bot: { name: 'B' }, dialogtasks })
}

test('keeps the main thread free with a version file of tens of MB: a check of `openParley` fails otherwise [P-1700]', async () => {
  const bot = (await admin.post('/bot', { name: 'Large' })).body.id
  const text = versionOf('one')
  const form = new FormData()
  form.set('file', new Blob([text], { type: 'application/json' }), 'version.json')
  const step = async (name: string, call: () => Promise<{ status: number; text: string; body: { id: string } }>) => {
    const began = performance.now()
    await parley.pieces(0)
    const answer = await call()
    const pieces = await parley.pieces(0)
    console.log(
      name,
      answer.status,
      answer.text.length,
      Math.round(performance.now() - began),
      'ms',
      pieces
        .map(({ ms }) => ms)
        .sort((a, b) => b - a)
        .slice(0, 8)
        .join(' '),
    )
    return answer
  }
  const uploaded = await step('upload', () => admin.send('POST', `/version/upload?bot=${bot}`, { body: form }))
  const { id } = uploaded.body
  await step('preview', () => admin.get(`/version/${id}/preview`))
  await step('download', () => admin.get(`/version/${id}/download`))
  await step('apply', () => admin.post(`/version/${id}/apply`, { confirm: 'CONFIRM' }))
  await step('create', () => admin.post('/version', { bot, name: 'Kept' }))
  await step('preview again', () => admin.get(`/version/${id}/preview`))
  expect(uploaded.status).toBe(201)
  console.log(text.length)
}, 600_000)
