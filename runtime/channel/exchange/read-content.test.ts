import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OutboundAnswer } from '#runtime/outbound/call.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { ProviderAnswer, ProviderEvent } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { whatsappMeta } from '../whatsapp-meta/whatsapp-meta.ts'
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
const read = (...answers: readonly Result<OutboundAnswer>[]) => readFrom(channel, message, answers)
const readFrom = async (
  from: ProviderChannel,
  said: typeof message,
  answers: readonly Result<OutboundAnswer>[],
  ms = 60_000,
) => {
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
    pause: (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms)),
    tell: (_channel: ProviderChannel, code: string, detail: string) => told.push(`${code} ${detail}`),
  }
  const reading = readContent(parts as never, from, said, 'conversation-1')
  await vi.advanceTimersByTimeAsync(ms)
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

describe('a file that Meta names by an id', () => {
  const LATER = [1, 6, 36, 96, 156, 216, 276, 336, 396, 456, 516, 576].map(seconds => seconds * 1_000)
  const looked = (status: number, body: Json = { url: FILE }): Result<ProviderAnswer> =>
    accepted({ status, headers: [], body })
  /** Reads the message while the look-ups of its id are answered like this, and then its file. */
  const readById = async (lookUps: readonly Result<ProviderAnswer>[], ...files: readonly Result<OutboundAnswer>[]) => {
    const at: number[] = []
    const began = Date.now()
    const ask = async () => {
      at.push(Date.now() - began)
      return lookUps[Math.min(at.length, lookUps.length) - 1] ?? UNREACHABLE
    }
    const fields = { url: 'https://files.example.com', auth_token: 'EAAx' }
    const byId = { ...channel, fields, adapter: whatsappMeta, values: { ask } } as unknown as ProviderChannel
    const media = [{ ...message.content.media[0], ref: '1037543291543636' }]
    const said = { ...message, content: { ...message.content, media } } as unknown as typeof message
    return { looked: at, ...(await readFrom(byId, said, files, 3_600_000)) }
  }

  test('is looked up and fetched again each minute for ten minutes, and no longer [P-2715] [D-3.1.13]', async () => {
    const { looked: at, told, read: got } = await readById([looked(503)], answered(200))
    expect(at).toEqual([0, ...LATER])
    expect(told).toEqual(['channel.media application/pdf · http.503'])
    expect(got).toMatchObject({ attachments: [{ name: 'nota.pdf', error: 'fetch' }] })
    // The address of each look-up ends before the next one.
    const late = await readById(
      [looked(200)],
      answered(502),
      answered(502),
      answered(502),
      answered(502),
      answered(200),
    )
    expect(late.at).toEqual([0, ...LATER.slice(0, 4)])
    expect(late.looked).toEqual(late.at)
    expect(late.read).toMatchObject({ attachments: [{ name: 'nota.pdf', contentType: 'application/pdf' }] })
    expect(late.told).toEqual([])
  })

  test('is given up as soon as its id is not valid any more [P-2715]', async () => {
    const unknown = looked(400, { error: { code: 100, message: 'Unsupported get request.' } })
    const { looked: at, told } = await readById([looked(503), looked(429), unknown], answered(200))
    expect(at).toEqual([0, 1_000, 6_000])
    expect(told).toEqual(['channel.media application/pdf · channel.answer'])
  })
})

test('leaves control characters out of what a person wrote [P-2095]', async () => {
  const text = (words: string) => ({ ...message, content: { kind: 'text', text: words } }) as unknown as typeof message
  const { read: got } = await readFrom(channel, text('a\u0000b\u0007\tc\nd'), [])
  expect(got).toMatchObject({ type: 'text', text: 'ab\tc\nd' })
})
