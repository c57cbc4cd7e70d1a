import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { anyText, ODD_TEXTS } from '#test/fixture/any-text.ts'
import { readAddress, readPlace } from './read-answer.ts'

const PAULISTA = { latitude: -23.561, longitude: -46.656 }

describe('location [D-5.19]', () => {
  test.each<[JsonObject, JsonObject | undefined]>([
    [PAULISTA, { geo: PAULISTA }],
    [{ latitude: '-23.561', longitude: '-46,656' }, { geo: PAULISTA }],
    [
      { ...PAULISTA, name: 'MASP', address: ' Av. Paulista ' },
      { name: 'MASP', address: 'Av. Paulista', geo: PAULISTA },
    ],
    [{ geo: PAULISTA }, { geo: PAULISTA }],
    [
      { type: 'Place', geo: { ...PAULISTA, type: 'GeoCoordinates', elevation: 760 } },
      { type: 'Place', geo: { ...PAULISTA, elevation: 760, type: 'GeoCoordinates' } },
    ],
    [{ address: 'Av. Paulista, 1578' }, { address: 'Av. Paulista, 1578' }],
    [{ name: 'Home' }, { name: 'Home' }],
    [{ address: 'x', geo: null }, { address: 'x' }],
    [{ address: 'x', phone: '11', geo: { note: 'y' } }, { address: 'x' }],
    [{ latitude: 0, longitude: -0 }, { geo: { latitude: 0, longitude: 0 } }],
    [{ latitude: 90, longitude: 180 }, { geo: { latitude: 90, longitude: 180 } }],
    [{ latitude: 90.1, longitude: 0 }, undefined],
    [{ latitude: 0, longitude: -181 }, undefined],
    [{ latitude: 1 }, undefined],
    [{ latitude: '1e1', longitude: 2 }, undefined],
    [{ latitude: 'north', longitude: 'west', address: 'x' }, undefined],
    [{ latitude: null, longitude: '', address: 'x' }, { address: 'x' }],
    [{ latitude: [1], longitude: { a: 2 } }, undefined],
    [{ type: 'Place' }, undefined],
    [{ address: '   ' }, undefined],
    [{ address: 'x'.repeat(4001) }, undefined],
    [{}, undefined],
    [JSON.parse('{"__proto__": {"address": "x"}}'), undefined],
  ])('%j is %j', (said, place) => {
    expect(readPlace(said)).toEqual(place === undefined ? { ok: false } : { ok: true, value: place })
  })

  test.each([
    ['Av. Paulista, 1578 - São Paulo', 'Av. Paulista, 1578 - São Paulo'],
    ['  Rua 1 ', 'Rua 1'],
    ['東京都', '東京都'],
    ['', undefined],
    ['  ', undefined],
    ['?!', undefined],
    ['👍', undefined],
    ['x'.repeat(4000), 'x'.repeat(4000)],
    ['x'.repeat(4001), undefined],
    ['a\ud800', 'a\ufffd'],
  ])('an address in words %#', (said, address) => {
    expect(readAddress(said)).toEqual(address === undefined ? { ok: false } : { ok: true, value: { address } })
  })

  test('survives odd texts at once', () => {
    for (const text of ODD_TEXTS) {
      expect(typeof readAddress(text).ok).toBe('boolean')
      expect(typeof readPlace({ latitude: text, longitude: text, name: text }).ok).toBe('boolean')
    }
  })

  test('never throws, and what is kept reads back as itself', () => {
    const member = fc.oneof(anyText(8), fc.double(), fc.constant(null), fc.integer({ min: -180, max: 180 }))
    const flat = { latitude: member, longitude: member, name: member, address: member, type: member }
    const place = fc.record({ ...flat, geo: fc.record(flat, { requiredKeys: [] }) }, { requiredKeys: [] })
    fc.assert(
      fc.property(place, said => {
        const once = readPlace(said)
        if (once.ok) expect(readPlace(once.value)).toEqual(once)
      }),
    )
  })
})
