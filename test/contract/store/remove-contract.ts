import { describe, expect, it } from 'vitest'
import { StreamTombstoned, WrongRevision } from '#commands/store/port.ts'
import { newEvents, revisions } from './event.ts'
import type { Contract } from './store-under-test.ts'

export function removeContract({ store, stream, reopen }: Contract): void {
  describe('soft deletion', () => {
    it('hides the events, and appending with the revision it had goes on counting', async () => {
      const name = stream()
      await store().append(name, 0, newEvents(3))
      await store().delete(name, 3)
      expect(await revisions(store().read(name))).toEqual([])
      expect(await revisions(store().read(name, { direction: 'backwards' }))).toEqual([])
      expect(await store().revision(name)).toBe(3)
      expect((await store().append(name, 3, newEvents(2))).revision).toBe(5)
      expect(await revisions(store().read(name))).toEqual([4, 5])
      await reopen()
      expect(await revisions(store().read(name, { direction: 'backwards' }))).toEqual([5, 4])
    })

    it('needs the exact revision, also for going on', async () => {
      const name = stream()
      await store().append(name, 0, newEvents(2))
      await expect(store().delete(name, 1)).rejects.toThrow(WrongRevision)
      await store().delete(name, 2)
      await expect(store().append(name, 0, newEvents(1))).rejects.toThrow(WrongRevision)
      await expect(store().append(name, 1, newEvents(1))).rejects.toThrow(WrongRevision)
    })

    it('may be repeated', async () => {
      const name = stream()
      await store().append(name, 0, newEvents(1))
      await store().delete(name, 1)
      await store().delete(name, 1)
      await store().append(name, 1, newEvents(1))
      await store().delete(name, 2)
      expect(await revisions(store().read(name))).toEqual([])
    })
  })

  describe('tombstone', () => {
    it('refuses every later append and yields nothing, for ever', async () => {
      const name = stream()
      await store().append(name, 0, newEvents(2))
      await expect(store().tombstone(name, 1)).rejects.toThrow(WrongRevision)
      await store().tombstone(name, 2)
      for (const expected of [0, 2, 3]) {
        await expect(store().append(name, expected, newEvents(1))).rejects.toThrow(StreamTombstoned)
      }
      expect(await revisions(store().read(name))).toEqual([])
      await reopen()
      await expect(store().append(name, 2, newEvents(1))).rejects.toThrow(StreamTombstoned)
      await expect(store().delete(name, 2)).rejects.toThrow(StreamTombstoned)
    })

    it('may be repeated', async () => {
      const name = stream()
      await store().append(name, 0, newEvents(1))
      await store().tombstone(name, 1)
      await expect(store().tombstone(name, 1)).resolves.toBeUndefined()
    })

    it('leaves no revision and no settings, which can neither be read nor set again', async () => {
      const name = stream()
      await store().append(name, 0, newEvents(3))
      await store().setMetadata(name, { maxCount: 2 })
      await store().delete(name, 3)
      await store().tombstone(name, 3)
      await reopen()
      expect(await store().metadata(name)).toEqual({})
      expect(await store().revision(name)).toBe(0)
      await expect(store().setMetadata(name, { maxCount: 1 })).rejects.toThrow(StreamTombstoned)
    })

    it('of the newest events lets no later event have a position that was given before', async () => {
      const name = stream()
      const { position } = await store().append(name, 0, newEvents(2))
      await store().tombstone(name, 2)
      await reopen()
      const later = await store().append(stream(), 0, newEvents(1))
      expect(later.position > position).toBe(true)
    })
  })

  describe('metadata', () => {
    it('keeps only the newest events readable while revisions go on', async () => {
      const name = stream()
      expect(await store().metadata(name)).toEqual({})
      await store().append(name, 0, newEvents(5))
      await store().setMetadata(name, { maxCount: 2 })
      expect(await store().metadata(name)).toEqual({ maxCount: 2 })
      expect(await revisions(store().read(name))).toEqual([4, 5])
      expect((await store().append(name, 5, newEvents(1))).revision).toBe(6)
      expect(await revisions(store().read(name))).toEqual([5, 6])
      expect(await revisions(store().read(name, { from: 1, limit: 1 }))).toEqual([5])
      expect(await revisions(store().read(name, { direction: 'backwards' }))).toEqual([6, 5])
      await reopen()
      expect(await store().metadata(name)).toEqual({ maxCount: 2 })
      expect((await store().append(name, 6, newEvents(3))).revision).toBe(9)
      expect(await revisions(store().read(name))).toEqual([8, 9])
    })

    it.each([0, -1, 1.5])('refuses %d as a count', async maxCount => {
      await expect(store().setMetadata(stream(), { maxCount })).rejects.toThrow(RangeError)
    })

    it('can be set before the first event and taken away again', async () => {
      const name = stream()
      await store().setMetadata(name, { maxCount: 1 })
      expect(await store().revision(name)).toBe(0)
      await store().append(name, 0, newEvents(2))
      expect(await revisions(store().read(name))).toEqual([2])
      await store().setMetadata(name, {})
      await store().append(name, 2, newEvents(1))
      expect(await revisions(store().read(name))).toEqual([2, 3])
      expect(await store().metadata(name)).toEqual({})
    })
  })
}
