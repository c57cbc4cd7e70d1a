import { describe, expect, test } from 'vitest'
import { editDays, visibleDays } from '../../features/designer/history/edit-days.ts'
import { timeScale } from '../../features/designer/history/time-scale.ts'
import { lanesOf, markPaths } from '../../features/designer/history/track.tsx'
import { sessionAt, sessionsOf } from '../../features/designer/session/edit-history/edit-session.ts'
import {
  indexAt,
  type Moment,
  markOf,
  nearestAt,
  readMoments,
  readNewestMoments,
  readOlderMoments,
} from './read-revisions.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const START = Date.parse('2026-11-18T12:00:00.000Z')
const NO_LINKS = { added: [], changed: [], removed: [] }

const moment = (revision: number, after: number, given: Partial<Moment> & { readonly who?: string } = {}): Moment => {
  const { who = 'ana', ...rest } = given
  return {
    revision,
    time: new Date(START + after).toISOString(),
    authors: [{ id: who, username: who }],
    summary: {
      added: [],
      changed: [{ id: 'n1', type: 'text', title: '', fields: ['text'] }],
      removed: [],
      links: NO_LINKS,
      script: false,
    },
    ...rest,
  }
}

describe('Sessions', () => {
  test('Edits closer than five minutes are one session, from any author', () => {
    const sessions = sessionsOf([
      moment(1, 0),
      moment(2, 4 * MINUTE, { who: 'rui' }),
      moment(3, 9 * MINUTE),
      moment(4, 13 * MINUTE),
    ])
    expect(sessions.map(({ base, first, last }) => [base, first.revision, last.revision])).toEqual([
      [0, 1, 2],
      [2, 3, 4],
    ])
    expect(sessions[0]?.authors.map(({ id }) => id)).toEqual(['ana', 'rui'])
    expect(sessionAt(sessions, 3)).toBe(1)
  })

  test('Keeps a restoration separate', () => {
    const sessions = sessionsOf([
      moment(1, 0),
      moment(2, 1, { source: { kind: 'restore', revision: 1 } }),
      moment(3, 2),
    ])
    expect(sessions.map(({ source }) => source?.kind)).toEqual([undefined, 'restore', undefined])
  })

  test('Sessions that did not change keep their identity when newer edits arrive', () => {
    const moments = [moment(1, 0), moment(2, DAY)]
    const before = sessionsOf(moments)
    const after = sessionsOf([...moments, moment(3, DAY + MINUTE)], before)
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })
})

describe('Reading moments', () => {
  const server = (count: number, gap: (revision: number) => boolean = () => false) => {
    const all = Array.from({ length: count }, (_, at) => moment(at + 1, at)).filter(({ revision }) => !gap(revision))
    const asked: number[] = []
    const fetchPage = async (after: number, size: number) => {
      asked.push(after)
      return { items: all.filter(({ revision }) => revision > after).slice(0, size), total: all.length }
    }
    return { all, asked, fetchPage }
  }

  test.each([0, 1, 99, 100, 101, 250, 1234])('All of %i moments come, each once and in order', async count => {
    const { fetchPage } = server(count)
    const moments = await readMoments(fetchPage, [])
    expect(moments.map(({ revision }) => revision)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  })

  test('Revisions that are no moments leave no hole and bring nothing twice', async () => {
    const { fetchPage, all } = server(900, revision => revision % 7 === 0)
    expect(await readMoments(fetchPage, [])).toEqual(all)
  })

  test('Returns the newest first, and requests only new ones again', async () => {
    const { fetchPage, asked, all } = server(900)
    const parts: number[] = []
    const known = await readMoments(fetchPage, all.slice(0, 850), part => parts.push(part.length))
    expect(known).toHaveLength(900)
    expect(asked).toEqual([850])
    await readMoments(fetchPage, [], part => parts.push(part.at(-1)?.revision ?? 0))
    expect(parts.every(last => last === 900)).toBe(true)
  })
})

describe('Reading the newest moments', () => {
  const server = (count: number) => {
    const all = Array.from({ length: count }, (_, at) => moment(3 * at + 1, at))
    const fetchPage = async (after: number, size: number) => ({
      items: all.filter(({ revision }) => revision > after).slice(0, size),
      total: all.length,
    })
    return { all, fetchPage }
  }

  test.each([0, 1, 200, 201, 950])('%i moments come newest first, each once and in order', async count => {
    const { all, fetchPage } = server(count)
    let { from, moments } = await readNewestMoments(fetchPage)
    expect(moments.at(-1)).toEqual(all.at(-1))
    while (from > 0) {
      const older = await readOlderMoments(fetchPage, from)
      expect(older.from).toBeLessThan(from)
      from = older.from
      moments = [...older.moments, ...moments]
    }
    expect(moments).toEqual(all)
  })
})

describe('The line of time', () => {
  test('Quiet hours are folded, so that work gets the width', () => {
    const times = [0, 10 * MINUTE, 14 * 60 * MINUTE, 14 * 60 * MINUTE + 10 * MINUTE]
    const scale = timeScale(times, 1000)
    expect(scale.stretches.map(({ kind }) => kind)).toEqual(['work', 'quiet', 'work'])
    expect(times.map(scale.x)).toEqual([0, 487, 513, 1000])
    expect(scale.time(487)).toBe(10 * MINUTE)
    expect(scale.time(243.5)).toBe(5 * MINUTE)
  })

  test('Many quiet hours together leave most of the width to work', () => {
    const scale = timeScale(
      Array.from({ length: 200 }, (_, at) => at * DAY),
      1000,
    )
    const quiet = scale.stretches.filter(({ kind }) => kind === 'quiet').reduce((sum, { x0, x1 }) => sum + x1 - x0, 0)
    expect(quiet).toBeCloseTo(300)
    expect(scale.x(199 * DAY)).toBeLessThanOrEqual(1000)
  })

  test('A day window stays where it is until the moment leaves it', () => {
    const days = editDays(
      [0, 1, 2, 3, 4].flatMap(day => [moment(day * 2 + 1, day * DAY), moment(day * 2 + 2, day * DAY + MINUTE)]),
    )
    const keys = (index: number, before?: string) => visibleDays(days, index, 'three', before).map(({ key }) => key)
    const newest = keys(9)
    expect(newest).toEqual(['20/11/2026', '21/11/2026', '22/11/2026'])
    expect(keys(5, newest[0])).toEqual(newest)
    expect(keys(2, newest[0])).toEqual(['18/11/2026', '19/11/2026', '20/11/2026'])
  })

  test('The nearest moment to a time is found', () => {
    const moments = [moment(1, 0), moment(5, 10 * MINUTE), moment(9, 20 * MINUTE)]
    expect([-1, 4, 6, 99].map(minutes => nearestAt(moments, START + minutes * MINUTE))).toEqual([0, 0, 1, 2])
    expect([0, 1, 6, 99].map(revision => indexAt(moments, revision))).toEqual([-1, 0, 1, 2])
  })
})

describe('Lanes', () => {
  test('The busiest people have a lane of their own, the others share one', () => {
    const moments = ['a', 'a', 'a', 'b', 'b', 'c', 'd'].map((who, at) => moment(at + 1, at, { who }))
    const lanes = lanesOf(moments, 3)
    expect(lanes.map(({ person, people, moments: held }) => [person?.id, people, held.length])).toEqual([
      ['a', 1, 3],
      ['b', 1, 2],
      [undefined, 2, 2],
    ])
  })

  test('The shape of a mark says what was done', () => {
    const block = { id: 'n1', type: 'text', title: '' }
    const summary = moment(1, 0).summary
    expect(markOf(moment(1, 0, { summary: { ...summary, changed: [], added: [block] } }))).toBe('added')
    expect(markOf(moment(1, 0, { summary: { ...summary, changed: [], removed: [block] } }))).toBe('removed')
    expect(markOf(moment(1, 0))).toBe('changed')
  })

  test('However many edits there were, no more marks are drawn than the width can show', () => {
    const moments = Array.from({ length: 5000 }, (_, at) => moment(at + 1, at))
    const { changed } = markPaths(moments, time => (time - START) / 10, 0)
    expect(changed.split('M').length - 1).toBeLessThanOrEqual(126)
  })
})
