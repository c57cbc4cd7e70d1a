import { BUSY } from '#commands/time-slicer.ts'
import { INLINE_VERSION_WORK, VersionFileAssembler, type VersionWork } from '#commands/version/version-work.ts'
import { type Result, refused } from '#schemas/refusal.ts'
import { VERSION_CHECK, VERSION_OPEN } from '../jobs.ts'
import { isNotRead, type WorkPool, type WorkResult } from '../work.ts'

/** Bytes that are read on the main thread: some 5 ms. */
const SMALL = 20_000

const COSTLY = refused('version.format', { errors: [{ path: '', code: 'format' }] })

const resultOf = <T>(result: WorkResult<Result<T>>): Result<T> => {
  if (result.ok) return result.value
  if (isNotRead(result.code)) return BUSY
  if (result.code === 'work.failed') throw new Error(result.message)
  return COSTLY
}

/** Work on larger version files in the pool. */
export const openVersionWork = (pool: WorkPool): VersionWork => ({
  async check(file, from) {
    if (file.reduce((sum, { length }) => sum + length, 0) <= SMALL) return INLINE_VERSION_WORK.check(file, from)
    const packed: Uint8Array[] = []
    const checked = resultOf(
      await pool.run(VERSION_CHECK, null, { from, bytes: file, onPart: piece => packed.push(piece) }),
    )
    return checked.ok ? { ok: true, value: { ...checked.value, packed } } : checked
  },
  async open(stored, from) {
    if (stored.size <= SMALL) return INLINE_VERSION_WORK.open(stored, from)
    const parts = new VersionFileAssembler()
    const bytes = stored.packed
    const opened = resultOf(await pool.run(VERSION_OPEN, null, { from, bytes, onPart: part => parts.add(part) }))
    return opened.ok ? { ok: true, value: parts.end() } : opened
  },
})
