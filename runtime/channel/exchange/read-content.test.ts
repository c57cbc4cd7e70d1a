import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OutboundAnswer } from '#runtime/outbound/call.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ProviderEvent } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { readContent } from './read-content.ts'

const FILE = 'https://files.example.com/a.pdf'
const PDF = new TextEncoder().encode('%PDF-1.4\n%test\n')
const message = {
  ...{ kind: 'message', id: 'm1', from: { id: '5511' }, to: '', time: 0 },
  content: { kind: 'media', media: [{ ref: FILE, type: 'application/pdf', name: 'nota.pdf' }], text: 'veja' },
} as const satisfies ProviderEvent
const channel = { id: 'c1', bot: 'b1', type: 'x', isEnabled: true, fields: {} } as unknown as ProviderChannel

const answered = (status: number): Result<OutboundAnswer> =>
  accepted({ ...{ status, url: FILE, redirects: 0, headers: [], truncated: false }, body: PDF })
const UNREACHABLE = refused('outbound.unreachable', { params: { reason: 'ECONNRESET' } })

/** Reads the message while its file is answered like this, one answer per attempt, the last one for all further. */
const read = async (...answers: readonly Result<OutboundAnswer>[]) => {
  const at: number[] = []
  const told: string[] = []
  const began = Date.now()
  const parts = {
    async call() {
      at.push(Date.now() - began)
      return answers[Math.min(at.length, answers.length) - 1] ?? UNREACHABLE
    },
    storage: {
      put: async () => ({ id: 'f1', name: 'nota.pdf', type: 'application/pdf', size: PDF.length }),
      keep: async () => undefined,
    },
    baseUrl: () => 'https://bots.example.com',
    load: async () => undefined,
    tell: (_channel: ProviderChannel, code: string, detail: string) => told.push(`${code} ${detail}`),
  }
  const reading = readContent(parts as never, channel, message, 'conversation-1')
  await vi.advanceTimersByTimeAsync(60_000)
  return { at, told, read: await reading }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('fetches a file again after 1, 5 and 30 s, as long as another attempt may get it [P-2250]', async () => {
  const { at, told, read: got } = await read(UNREACHABLE, answered(503), answered(429), answered(200))
  expect(at).toEqual([0, 1_000, 6_000, 36_000])
  expect(told).toEqual([])
  expect(got).toMatchObject({ type: 'attachment', attachments: [{ name: 'nota.pdf' }], text: 'veja' })
})

test('gives the bot an attachment with its name, type and error after the last attempt, and the log the reason [P-2250]', async () => {
  const { at, told, read: got } = await read(answered(502))
  expect(at).toEqual([0, 1_000, 6_000, 36_000])
  expect(told).toEqual(['channel.media application/pdf · http.502'])
  expect(got).toMatchObject({
    type: 'attachment',
    attachments: [{ name: 'nota.pdf', contentType: 'application/pdf', error: 'fetch' }],
  })
})

test('keeps the id of a message where "typing" may name it [P-2658]', async () => {
  const said = { ...message, id: 'wamid.in', content: { kind: 'text', text: 'oi' } } as const
  const parts = { load: async () => undefined }
  const read = (adapter: object) => readContent(parts as never, { ...channel, adapter } as never, said, 'c')
  expect(await read({ typing: () => undefined })).toMatchObject({ text: 'oi', provided: 'wamid.in' })
  expect(await read({})).not.toHaveProperty('provided')
})

test('does not fetch again a file that is not there [P-2250]', async () => {
  const { at, told } = await read(answered(404))
  expect(at).toEqual([0])
  expect(told).toEqual(['channel.media application/pdf · http.404'])
})
