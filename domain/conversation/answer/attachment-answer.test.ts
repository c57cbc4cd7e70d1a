import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { anyText, ODD_TEXTS } from '#test/fixture/any-text.ts'
import { type AttachmentLimits, readAttachments } from './read-answer.ts'

const PNG = { contentType: 'image/png', contentUrl: 'https://files.example/a.png' }
const PDF = { contentType: 'application/pdf', contentUrl: 'https://files.example/b.pdf', name: 'b.pdf' }
const inline = (bytes: number) => `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`

const read = (said: readonly Json[], limits: Partial<AttachmentLimits> = {}) => {
  const result = readAttachments(said, { denied: [], ...limits })
  return result.ok ? result.value : undefined
}

describe('attachment [D-5.19]', () => {
  test('one is an object, several are an array', () => {
    expect(read([PDF])).toEqual(PDF)
    expect(read([PNG, PDF])).toEqual([PNG, PDF])
    expect(read([])).toBeUndefined()
  })

  test.each<[Json, Json | undefined]>([
    [
      { ...PNG, size: 10, extra: 1, thumbnailUrl: 'https://x.example/t' },
      { ...PNG, thumbnailUrl: 'https://x.example/t' },
    ],
    [{ ...PNG, contentType: 'IMAGE/PNG' }, PNG],
    [
      { ...PNG, contentType: 'audio/ogg; codecs=opus' },
      { ...PNG, contentType: 'audio/ogg' },
    ],
    [
      { contentType: 'text/plain', content: 'aGk=' },
      { contentType: 'text/plain', content: 'aGk=' },
    ],
    [{ ...PNG, name: 5, content: null }, PNG],
    [{ contentType: 'image/png' }, undefined],
    [{ contentType: 'image/png', contentUrl: '' }, undefined],
    [{ contentUrl: 'https://files.example/a.png' }, undefined],
    [{ ...PNG, contentType: 'image' }, undefined],
    [{ ...PNG, contentType: 'image/' }, undefined],
    [{ ...PNG, contentType: '' }, undefined],
    [{ ...PNG, contentType: 5 }, undefined],
    ['https://files.example/a.png', undefined],
    [null, undefined],
    [[PNG], undefined],
    [JSON.parse('{"__proto__": {"contentType": "image/png", "contentUrl": "x"}}'), undefined],
  ])('%j is %j', (said, attachment) => {
    expect(read([said])).toEqual(attachment)
  })

  test.each([
    [['image/png'], false],
    [['IMAGE/PNG '], false],
    [['image/*'], false],
    [['image'], false],
    [['application/pdf', 'image/jpeg'], true],
    [['imag'], true],
    [['video'], true],
    [['', ' '], true],
    [['image/png; q=1'], false],
  ])('a channel that denies %j takes a picture: %j', (denied, isTaken) => {
    expect(read([PNG], { denied }) !== undefined).toBe(isTaken)
  })

  test('one that is denied refuses all', () => {
    expect(read([PNG, PDF], { denied: ['application/pdf'] })).toBeUndefined()
  })

  test.each([
    [{ ...PNG, size: 1_048_576 }, true],
    [{ ...PNG, size: 1_048_577 }, false],
    [{ ...PNG, contentUrl: inline(1_048_576) }, true],
    [{ ...PNG, contentUrl: inline(1_048_577) }, false],
    [{ contentType: 'image/png', content: Buffer.alloc(1_048_577).toString('base64') }, false],
    [{ contentType: 'image/png', content: Buffer.alloc(1_048_575).toString('base64') }, true],
    [{ ...PNG, size: -1 }, true],
    [{ ...PNG, size: 'huge' }, true],
  ])('at most 1 MB %#', (attachment, isTaken) => {
    expect(read([attachment], { maxBytes: 1_048_576 }) !== undefined).toBe(isTaken)
  })

  test('survives odd texts at once', () => {
    for (const text of ODD_TEXTS) {
      read([{ contentType: text, contentUrl: text, content: text }], { denied: [text], maxBytes: 5 })
      read([{ contentType: 'image/png', contentUrl: `data:${text}` }], { maxBytes: 5 })
    }
  })

  test('never throws, and what is kept reads back as itself', () => {
    const type = fc.oneof(anyText(8), fc.constantFrom('image/png', 'audio/ogg;x', 'application/vnd.a+json'))
    const attachment = fc.record({ contentType: type, contentUrl: anyText(8), name: anyText(8) }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.array(attachment, { maxLength: 3 }), fc.array(type), (said, denied) => {
        const once = read(said, { denied })
        if (once !== undefined) expect(read(Array.isArray(once) ? once : [once as Json], { denied })).toEqual(once)
      }),
    )
  })
})
