import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { embedUrl } from './report.ts'

/** As in the signatures of the shared corpus, which were made with another library. */
const SECRET = '11112222333344445555666677778888aaaabbbbccccddddeeeeffff00001111'
const TOKEN =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyZXNvdXJjZSI6eyJkYXNoYm9hcmQiOjd9LCJwYXJhbXMiOnsiYm90IjoiYjEifSwiZXhwIjoxODkzNDU2MDAwfQ.9nCxE_iaXDJbj2uEThLCvruOHzuibz1OwDypGdn_lMg'
const EXP = 1_893_456_000

interface Payload {
  readonly resource: { readonly dashboard?: number; readonly question?: number }
  readonly params: JsonObject
  readonly exp: number
}

describe('the address of an embedded report', () => {
  test('carries a token that Metabase takes [P-203]', () => {
    const address = embedUrl('https://mb.example', SECRET, {
      type: 'dashboard',
      metabaseid: 7,
      params: { bot: 'b1' },
      exp: EXP,
    })
    expect(address).toBe(`https://mb.example/embed/dashboard/${TOKEN}#bordered=false&titled=false`)
  })

  test('signs every case of the corpus as it was signed there', () => {
    const { metabase } = corpusJson<{
      metabase: { secret: string; cases: { payload: Payload; token: string }[] }
    }>('campaigns/constructed/signatures.json')
    expect(metabase.cases).not.toEqual([])
    for (const { payload, token } of metabase.cases) {
      const { resource, params, exp } = payload
      const type = 'dashboard' in resource ? 'dashboard' : 'question'
      const metabaseid = resource[type] ?? 0
      const address = embedUrl('https://mb.example', metabase.secret, { type, metabaseid, params, exp })
      expect(address.split(/[/#]/)).toContain(token)
    }
  })
})
