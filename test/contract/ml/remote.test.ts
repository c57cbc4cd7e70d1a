import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '#schemas/event.ts'
import type { MlFault } from '#test/doubles/ml/ml-server.ts'
import { CLIENT_SECRET, REMOTE_PROJECT, startRemoteServer } from '#test/doubles/ml/remote-server.ts'
import { ownClock } from '#test/fixture/processor-clock.ts'
import { codeOf, openedMl } from './contract.ts'

describe('the remote service of the NLU settings [D-3.6.01] [N-5.16]', () => {
  let server: Awaited<ReturnType<typeof startRemoteServer>>
  let now: number
  beforeEach(async () => {
    server = await startRemoteServer()
    now = 1_000_000
  })
  afterEach(() => server.close())

  const ready = (more: JsonObject = {}, allowPrivate = true) =>
    openedMl({
      type: 'remote',
      fields: {
        authurl: `${server.url}/token`,
        parseurl: `${server.url}/parse`,
        clientsecret: CLIENT_SECRET,
        project: REMOTE_PROJECT,
        model: 'm1',
        timeout: 4000,
        minscore: 40,
        ...more,
      },
      url: server.url,
      allowPrivate,
      now: () => now,
    })
  const TEXT = 'quero o boleto'
  const paths = () => server.calls.map(({ path }) => path)

  test('understands with project and model, and drops what is below the lowest score [P-1082]', async () => {
    const ml = ready()
    expect(await ml.understand(TEXT)).toEqual({
      ok: true,
      value: {
        intents: [{ name: 'second_invoice', confidence: 0.91 }],
        entities: [{ name: 'document', value: 'boleto', confidence: 0.97 }],
      },
    })
    expect(await ml.understand('oi')).toEqual({ ok: true, value: { intents: [], entities: [] } })
    expect(await ready({ minscore: 30 }).understand('oi')).toMatchObject({
      value: { intents: [{ name: 'greet', confidence: 0.31 }] },
    })
    const said = JSON.parse(server.calls[1]?.body ?? '')
    expect(said).toMatchObject({ text: TEXT, q: TEXT, project: REMOTE_PROJECT, model: 'm1', locale: 'pt' })
  })

  test('gets one token for many texts, another when it ends or is refused, and no third [P-1083]', async () => {
    const ml = ready()
    await Promise.all([ml.understand(TEXT), ml.understand('oi')])
    await ml.understand(TEXT)
    expect(paths()).toEqual(['/token', '/parse', '/parse', '/parse'])
    now += 3_600_000
    await ml.understand(TEXT)
    expect(paths().slice(4)).toEqual(['/token', '/parse'])
    server.revoke()
    expect(codeOf(await ml.understand(TEXT))).toBe('ok')
    expect(paths().slice(6)).toEqual(['/parse', '/token', '/parse'])
    server.fault = 401
    expect(codeOf(await ml.understand(TEXT))).toBe('ml.unauthorized')
    expect(paths().slice(9)).toEqual(['/parse', '/token'])
  })

  test.each<[fault: MlFault, expected: string]>([
    ['html', 'ml.answer'],
    ['wrong', 'ml.answer'],
    ['silent', 'outbound.timeout'],
    ['slow', 'ok'],
    ['huge', 'ml.toolarge'],
    ['cut', 'outbound.unreachable'],
    [400, 'ml.refused'],
    [403, 'ml.unauthorized'],
    [404, 'ml.notfound'],
    [429, 'ml.toomany'],
    [500, 'ml.failed'],
  ])('tells by class what is wrong: %s is %s [P-1083]', async (fault, expected) => {
    // A busy machine answers within a second, too.
    const ml = ready({ timeout: fault === 'silent' ? 1000 : 4000 })
    await ml.understand(TEXT)
    server.fault = fault
    expect(codeOf(await ml.understand(TEXT))).toBe(expected)
    server.fault = undefined
    expect(codeOf(await ml.understand(TEXT))).toBe('ok')
  })

  test('waits no longer than the settings and the bot allow, for the token as well [P-1083]', async () => {
    server.fault = 'silent'
    const began = ownClock()
    expect(codeOf(await ready({ timeout: 60 }).understand(TEXT))).toBe('outbound.timeout')
    expect(ownClock() - began).toBeLessThan(1500)
    expect(paths()).toEqual(['/token'])
  })

  test('pauses after five failures in a row and resumes after recovery [P-1083]', async () => {
    const ml = ready()
    server.fault = 500
    for (let n = 0; n < 5; n += 1) await ml.understand(TEXT)
    const before = server.calls.length
    expect(codeOf(await ml.understand(TEXT))).toBe('ml.paused')
    expect(server.calls).toHaveLength(before)
    server.fault = undefined
    now += 31_000
    expect(codeOf(await ml.understand(TEXT))).toBe('ok')
  })

  test('tests token and understanding apart, and tells no secret [P-1084]', async () => {
    expect(await ready().check()).toMatchObject([
      { part: 'credentials', result: { ok: true } },
      { part: 'understanding', result: { ok: true, value: 'saude · m1' } },
    ])
    const wrong = await ready({ clientsecret: 'an0ther' }).check()
    expect(wrong).toMatchObject([{ part: 'credentials', result: { ok: false, refusal: { code: 'ml.unauthorized' } } }])
    expect(JSON.stringify(wrong)).not.toContain('an0ther')
    expect(await ready({ model: 'none' }).check()).toMatchObject([
      { part: 'credentials', result: { ok: true } },
      { part: 'understanding', result: { ok: false, refusal: { code: 'ml.notfound' } } },
    ])
  })

  test('is not asked at a private address, nor where no service is named [P-1084]', async () => {
    expect(codeOf(await ready({}, false).understand(TEXT))).toBe('outbound.private')
    expect(codeOf(await ready({ parseurl: null }).understand(TEXT))).toBe('ml.settings')
    expect(server.calls).toEqual([])
  })
})
