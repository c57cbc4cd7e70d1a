import { expect, test } from 'vitest'
import { countedSites, originOf, siteState, sitesOf } from './web-chat-site.ts'

test.each([
  ['https://www.loja.example/pagina?a=1', 'https://www.loja.example'],
  ['loja.example', 'https://loja.example'],
  ['LOJA.example:8443', 'https://loja.example:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['ftp://loja.example', undefined],
  ['javascript:alert(1)', undefined],
  ['loja', undefined],
  ['', undefined],
])('reads the site of "%s" as %s [P-1842]', (typed, site) => {
  expect(originOf(typed)).toBe(site)
})

test('adds up the refusals of each site of the channel [P-1842]', () => {
  const line = (channel: string, detail: string | null, count: number, hour: number) => ({
    ...{ service: `webchat:${channel}`, detail, count },
    time: `2026-11-28T0${hour}:00:00Z`,
  })
  const lines = [
    line('c1', 'https://a.example', 2, 1),
    line('c1', 'https://b.example', 4, 2),
    line('c1', 'https://a.example', 3, 3),
    line('c2', 'https://c.example', 9, 1),
    line('c1', null, 9, 1),
  ]
  expect(countedSites(lines, 'c1')).toEqual([
    { site: 'https://a.example', count: 5, latest: '2026-11-28T03:00:00Z' },
    { site: 'https://b.example', count: 4, latest: '2026-11-28T02:00:00Z' },
  ])
  expect(sitesOf('https://a.example; https://b.example;')).toEqual(['https://a.example', 'https://b.example'])
  expect(sitesOf(null)).toEqual([])
})

test('says whether conversations come from the sites of a chat [P-2944]', () => {
  const now = Date.parse('2026-11-29T12:00:00Z')
  const seen = (latest: string) => [{ site: 'https://a.example', count: 1, latest }]
  expect(siteState([], [], now)).toBe('nosite')
  expect(siteState(['https://a.example'], [], now)).toBe('waiting')
  expect(siteState(['https://a.example'], seen('2026-11-28T12:00:01Z'), now)).toBe('receiving')
  expect(siteState(['https://a.example'], seen('2026-11-28T12:00:00Z'), now)).toBe('silent')
  expect(siteState([], [...seen('2026-11-20T12:00:00Z'), ...seen('2026-11-29T11:00:00Z')], now)).toBe('receiving')
})
