import { describe, expect, it } from 'vitest'
import { EventTooLarge, WrongRevision } from '#commands/store/port.ts'
import { collect, newEvent, newEvents, revisions } from './event.ts'
import type { Contract } from './store-under-test.ts'

const MEBIBYTE = 1024 * 1024

export function appendContract({ store, stream, reopen }: Contract): void {
  describe('append', () => {
    it('numbers the events of a stream from 1 and gives the last one back', async () => {
      const name = stream()
      const first = await store().append(name, 0, newEvents(2))
      const second = await store().append(name, 2, newEvents(1))
      expect([first.revision, second.revision]).toEqual([2, 3])
      expect(second.position > first.position).toBe(true)
      expect(await store().revision(name)).toBe(3)
      expect(await store().head()).toBe(second.position)
    })

    it('keeps every field of an event, whatever JSON holds, before and after opening again', async () => {
      const name = stream()
      const data = {
        text: 'olá "\\ \u0000 \u2028 \ud83d\ude00 \ud800',
        n: -1.5e-7,
        no: null,
        list: [true, { a: [] }],
        2: 'b',
        __proto: 1,
      }
      const events = [newEvent('BotCreated', data), { ...newEvent(), actor: null, causation: 'c', level: null }]
      await store().append(name, 0, events)
      const before = await collect(store().read(name))
      const after = await collect((await reopen()).read(name))
      expect(before).toMatchObject(events)
      expect(JSON.stringify(before[0]?.data)).toBe(JSON.stringify(data))
      expect(after).toEqual(before)
    })

    it('answers the revision after each append and deletion, asked for before, during and after it [P-2232]', async () => {
      const name = stream()
      const asked = () => store().revision(name)
      expect(await asked()).toBe(0)
      for (let revision = 0; revision < 20; revision += 1) {
        const during = [asked()]
        const written = store().append(name, revision, [newEvent()])
        during.push(asked())
        await written
        expect(await asked()).toBe(revision + 1)
        for (const answer of await Promise.all(during)) expect([revision, revision + 1]).toContain(answer)
      }
      await store().tombstone(name, 20)
      expect(await asked()).toBe(0)
    })

    it('refuses an expected revision that is behind or ahead, says which one it is, and writes nothing', async () => {
      const name = stream()
      await expect(store().append(name, 1, newEvents(1))).rejects.toThrow(WrongRevision)
      await store().append(name, 0, newEvents(2))
      const refused = { name: 'WrongRevision', stream: name, actual: 2 }
      await expect(store().append(name, 0, newEvents(1))).rejects.toMatchObject({ ...refused, expected: 0 })
      await expect(store().append(name, 1, newEvents(1))).rejects.toMatchObject({ ...refused, expected: 1 })
      await expect(store().append(name, 3, newEvents(1))).rejects.toMatchObject({ ...refused, expected: 3 })
      expect(await revisions(store().read(name))).toEqual([1, 2])
    })

    it('answers a retry with the same ids as the first time, also after later events and opening again', async () => {
      const name = stream()
      const events = newEvents(2)
      const first = await store().append(name, 0, events)
      await store().append(name, 2, newEvents(1))
      expect(await store().append(name, 0, events)).toEqual(first)
      expect(await (await reopen()).append(name, 0, events)).toEqual(first)
      expect(await revisions(store().read(name))).toEqual([1, 2, 3])
    })

    it('refuses a retry that shares only some ids with what is there', async () => {
      const name = stream()
      const [first = newEvent(), second = newEvent()] = newEvents(2)
      await store().append(name, 0, [first, second])
      await expect(store().append(name, 0, [first, newEvent()])).rejects.toThrow(WrongRevision)
      await expect(store().append(name, 0, [first, second, newEvent()])).rejects.toThrow(WrongRevision)
      await expect(store().append(name, 1, [first])).rejects.toThrow(WrongRevision)
      expect(await revisions(store().read(name))).toEqual([1, 2])
    })

    it.each([-1, 0.5, Number.NaN])('refuses %d as an expected revision: there is no "any"', async expected => {
      await expect(store().append(stream(), expected, newEvents(1))).rejects.toThrow(RangeError)
      await expect(store().delete(stream(), expected)).rejects.toThrow(RangeError)
      await expect(store().tombstone(stream(), expected)).rejects.toThrow(RangeError)
    })

    it('refuses an append without events', async () => {
      await expect(store().append(stream(), 0, [])).rejects.toThrow(RangeError)
    })

    it('refuses more than 1 MiB in one append, and its neighbours are written', async () => {
      const [large, many, small] = [stream(), stream(), stream()]
      const third = () => newEvent('FlowChanged', { text: 'é'.repeat(MEBIBYTE / 5) })
      const outcomes = await Promise.allSettled([
        store().append(small, 0, newEvents(1)),
        store().append(large, 0, [newEvent('FlowChanged', { text: 'x'.repeat(MEBIBYTE) })]),
        store().append(many, 0, [third(), third(), third()]),
        store().append(small, 1, newEvents(1)),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
      for (const outcome of [outcomes[1], outcomes[2]]) {
        expect(outcome).toMatchObject({ reason: expect.any(EventTooLarge) })
      }
      expect(await store().revision(large)).toBe(0)
      expect(await store().revision(many)).toBe(0)
    })

    it('takes an append of nearly 1 MiB and gives it back whole', async () => {
      const name = stream()
      const text = 'x'.repeat(MEBIBYTE - 4096)
      await store().append(name, 0, [newEvent('FlowChanged', { text })])
      const [event] = await collect(store().read(name))
      expect(event?.data.text === text).toBe(true)
    })

    it('lets exactly one of many appends to one revision win, and a refused one fails no other', async () => {
      const name = stream()
      const others = Array.from({ length: 20 }, () => stream())
      const rivals = Array.from({ length: 50 }, () => store().append(name, 0, newEvents(2)))
      const neighbours = others.map(other => store().append(other, 0, newEvents(1)))
      const outcomes = await Promise.allSettled(rivals)
      await Promise.all(neighbours)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject(
        Array.from({ length: 49 }, () => ({ reason: expect.any(WrongRevision) })),
      )
      expect(await revisions(store().read(name))).toEqual([1, 2])
    })

    it('writes once what is sent twice at the same time', async () => {
      const name = stream()
      const events = newEvents(3)
      const [first, second] = await Promise.all([store().append(name, 0, events), store().append(name, 0, events)])
      expect(second).toEqual(first)
      expect(await revisions(store().read(name))).toEqual([1, 2, 3])
    })

    it('keeps its id', async () => {
      const { id } = store()
      expect(id).not.toBe('')
      expect((await reopen()).id).toBe(id)
    })
  })
}
