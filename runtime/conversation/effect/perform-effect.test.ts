import { describe, expect, test } from 'vitest'
import { TURN_LIMITS } from '#domain/conversation/limits.ts'
import { performEffect } from './perform-effect.ts'

describe('an answer of a service', () => {
  const call = (text: string, { status = 200, truncated = false, properties = { resultVariable: 'r' } } = {}) =>
    performEffect(
      {
        kind: 'rest',
        properties: { methodType: 'get', url: 'https://service.example/', retries: 0, ...properties },
        parser: 'JsonAta',
        context: {},
        key: 'k',
        changes: false,
      } as never,
      {
        evaluator: { evaluateAll: async () => ({ outcomes: [], ms: 0 }) },
        secrets: async () => ({}),
        call: async () => ({
          ok: true,
          value: { status, headers: [['content-type', 'application/json']], body: Buffer.from(text), truncated },
        }),
      } as never,
    )

  test('that is nested too deeply leaves by the error of its block [P-1649]', async () => {
    const deep = `${'['.repeat(125_000)}${']'.repeat(125_000)}`
    expect(await call(deep)).toMatchObject({ ok: false, error: { code: 'depth' } })
    expect(await call(deep, { properties: { resultVariable: '' } })).toMatchObject({ ok: false })
  })

  const quotes = 2
  const longest = 'x'.repeat(TURN_LIMITS.variable - quotes)
  const json = JSON.stringify({ rows: Array.from({ length: 40_000 }, (_, row) => row) })

  test('is kept up to the size of a variable, and beyond it leaves by the error of its block', async () => {
    expect(await call(longest)).toMatchObject({ ok: true, body: longest })
    const failed = { ok: false, error: { code: 'size', status: 200 } }
    expect(await call(`${longest}x`)).toMatchObject(failed)
    expect(await call(JSON.stringify({ json }))).toMatchObject({ ok: true })
    expect(await call(JSON.stringify({ json, more: json }))).toMatchObject(failed)
    expect(await call('"cut', { truncated: true })).toMatchObject(failed)
  })

  test('of any size is right where no variable takes it', async () => {
    const properties = { resultVariable: '' }
    expect(await call(`${longest}x`, { properties })).toMatchObject({ ok: true, status: 200, body: null })
    expect(await call('"cut', { truncated: true, properties })).toMatchObject({ ok: true, body: null })
  })

  test('that is a failure tells its body, or the beginning of a long one', async () => {
    expect(await call('{"why":"full"}', { status: 500 })).toMatchObject({
      ok: false,
      error: { code: 'http', status: 500, body: { why: 'full' } },
    })
    expect(await call(longest, { status: 500, truncated: true })).toMatchObject({
      ok: false,
      error: { code: 'http', body: 'x'.repeat(10_000) },
    })
  })
})
