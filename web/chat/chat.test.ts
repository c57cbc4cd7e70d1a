import { describe, expect, it, vi } from 'vitest'
import { contrastRatio } from '#domain/color.ts'
import { withDates } from './adaptive-view.ts'
import { dayByKey, weeksOf } from './calendar-view.ts'
import { ChatClient } from './chat-client.ts'
import { type ChatHttp, ChatRefusal } from './chat-http.ts'
import type { ChatMessage } from './chat-protocol.ts'
import type { ChatStorage } from './chat-storage.ts'
import { backoff } from './chat-stream.ts'
import { defaultLook, paletteOf } from './chat-styles.ts'
import { Pace } from './chat-widget.ts'
import { chatLanguage, createTexts, spokenLanguage } from './dom.ts'
import { shapeOf } from './log-view.ts'
import { money } from './receipt-view.ts'

describe('the parts of the web chat', () => {
  it('keeps every text readable, in light and dark, on any background', () => {
    const grounds = ['#FFFFFF', '#000000', '#F7DFA3', '#17443F', '#808080']
    for (const isDark of [false, true])
      for (const color of grounds) {
        const look = defaultLook()
        const ground = { bot: color, user: color, chat: color, send: color }
        const palette = paletteOf({ ...look, ground, header: { ...look.header, background: color } }, isDark)
        for (const [text, under] of [
          ['bot-text', 'bot'],
          ['user-text', 'user'],
          ['chat-text', 'chat'],
          ['muted', 'chat'],
          ['header-text', 'header'],
          ['send-icon', 'send'],
          ['chip-text', 'card'],
          ['on-primary', 'primary'],
        ] as const)
          expect(contrastRatio(palette[text] ?? '', palette[under] ?? ''), `${text} ${color}`).toBeGreaterThanOrEqual(
            4.5,
          )
      }
  })

  it('shows options as buttons, a list or a dropdown', () => {
    expect(shapeOf(3, 'auto', null)).toBe('chips')
    expect(shapeOf(4, 'auto', null)).toBe('list')
    expect(shapeOf(8, 'button', 8)).toBe('dropdown')
    expect(shapeOf(7, 'button', 8)).toBe('chips')
    expect(shapeOf(2, 'list', null)).toBe('list')
    expect(shapeOf(0, 'list', 1)).toBe('none')
  })

  it('moves over a calendar by days, weeks and months', () => {
    const day = new Date(2026, 0, 31)
    expect(dayByKey(day, 'PageDown')).toEqual(new Date(2026, 1, 28))
    expect(dayByKey(day, 'ArrowRight')).toEqual(new Date(2026, 1, 1))
    expect(dayByKey(day, 'a')).toBeUndefined()
    expect(weeksOf(2026, 10).flat().filter(Boolean)).toHaveLength(30)
    expect(weeksOf(2026, 10)[0]?.[0]).toEqual(new Date(2026, 10, 1))
  })

  it('writes the dates of an adaptive card in the language of the person [P-1723]', () => {
    expect(withDates('Até {{DATE(2026-05-04T15:00:00Z,LONG)}}', 'pt')).toBe('Até segunda-feira, 4 de maio de 2026')
    expect(withDates('{{DATE(2026-05-04T15:00:00Z, COMPACT)}}', 'en')).toBe('5/4/26')
    expect(withDates('{{TIME(2026-05-04T15:00:00Z)}}', 'pt')).toMatch(/^\d\d:00$/)
    expect(withDates('{{DATE(nunca)}} {{nome}}', 'pt')).toBe('{{DATE(nunca)}} {{nome}}')
  })

  it('holds messages back for their delay, and lets them through at once for an input [R-70]', () => {
    vi.useFakeTimers()
    const shown: string[] = []
    const held: boolean[] = []
    const pace = new Pace(
      ({ id }) => void shown.push(id),
      isHeld => void held.push(isHeld),
    )
    const message = (id: string, delay: number) => ({ id, delay }) as ChatMessage
    pace.take(message('a', 0))
    pace.take(message('b', 1000))
    pace.take(message('c', 1000))
    expect(shown).toEqual(['a'])
    vi.advanceTimersByTime(1000)
    expect(shown).toEqual(['a', 'b'])
    pace.flush()
    expect(shown).toEqual(['a', 'b', 'c'])
    expect(held.at(-1)).toBe(false)
    vi.useRealTimers()
  })

  it('sends what waits, and what comes later, once an expired token is renewed [P-2902]', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('addEventListener', () => undefined)
    let token = 'old'
    const sent: string[] = []
    const opened = { conversation: 'c', token, expires: '', watermark: '', messages: [], stream: null }
    const call = async (path: string, { token: given, body }: { token?: string; body?: { id: string } } = {}) => {
      if (path.endsWith('/conversations')) return opened
      if (path.endsWith('/token')) {
        token = 'new'
        return { token, expires: '' }
      }
      if (given === 'old') throw new ChatRefusal(401, 'chat.token', '', 1)
      sent.push(body?.id ?? '')
      return {}
    }
    const nothing = () => undefined
    const client = new ChatClient({
      http: { call } as unknown as ChatHttp,
      ...{ channel: 'w', language: 'pt', person: {} },
      storage: { key: 'k', read: nothing, write: nothing, remember: nothing } as unknown as ChatStorage,
      events: {
        ...{ opened: nothing, message: nothing, typing: nothing, state: nothing, line: nothing },
        ...{ settled: nothing, ended: nothing },
      },
    })
    await client.open()
    client.send({ id: 'first', type: 'text', text: 'oi' }, 'oi')
    await vi.advanceTimersByTimeAsync(2_000)
    client.send({ id: 'second', type: 'text', text: 'alô' }, 'alô')
    await vi.advanceTimersByTimeAsync(2_000)
    client.stop()
    expect(sent).toEqual(['first', 'second'])
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('waits longer after each failure, up to half a minute', () => {
    expect(backoff(0, 1)).toBe(500)
    expect(backoff(20, 1)).toBe(30_000)
    expect(backoff(20, 0)).toBe(15_000)
  })

  it('speaks the first language that it and the bot have [P-1921]', () => {
    expect(chatLanguage(['', undefined, 'fr-FR', 'es-AR'])).toBe('es')
    expect(chatLanguage([])).toBe('pt')
    expect(spokenLanguage(['', 'en-US'], ['pt'])).toBe('pt')
    expect(spokenLanguage(['fr', 'en-US', 'pt'], ['pt', 'en'])).toBe('en')
    expect(spokenLanguage([], ['en', 'pt'])).toBe('en')
    expect(createTexts('en')('writeto', { name: 'Diego' })).toBe('Write to Diego')
    expect(money('1240.5', 'BRL', 'pt').replace(/\s/u, ' ')).toBe('R$ 1.240,50')
    expect(money('a lot', 'BRL', 'pt')).toBe('a lot')
  })
})
