import { expect, test } from 'vitest'
import { codesample } from '#schemas/entities/codesample.ts'
import { openWorkbench } from '../fixture/workbench.ts'
import { storeAround } from '../store/port.ts'
import { createLoader } from './load.ts'

test('the newest used stay folded within bounds, and what another node wrote is read when asked afresh', async () => {
  const bench = await openWorkbench()
  try {
    const reads: string[] = []
    const store = storeAround(bench.store, {
      read(stream, options) {
        reads.push(stream)
        return bench.store.read(stream, options)
      },
    })
    const loader = createLoader(store, 6000)
    const make = async (code: string) => (await bench.must('codesample', 'create', '', { name: 'n', code })).id
    const [first, second, third] = [await make('a'.repeat(1800)), await make('b'.repeat(1800)), await make('c')]
    for (const id of [first, second, first, third, third, first]) await loader.load(codesample, id)
    expect(reads.map(stream => stream.slice('codesample-'.length))).toEqual([first, second, third])
    await loader.load(codesample, second)
    expect(reads).toHaveLength(4)

    await bench.must('codesample', 'change', first, { name: 'm' }, { revision: 1 })
    expect((await loader.load(codesample, second)).tail.revision).toBe(1)
    expect((await loader.load(codesample, first, { fresh: true })).state).toMatchObject({ fields: { name: 'm' } })
  } finally {
    await bench.close()
  }
})

test('reads no stream again from a store of this process alone while it has not changed [P-2232]', async () => {
  const bench = await openWorkbench()
  try {
    let reads = 0
    const store = storeAround(bench.store, {
      isExclusive: true,
      read(stream, options) {
        reads += 1
        return bench.store.read(stream, options)
      },
    })
    const loader = createLoader(store)
    const { id } = await bench.must('codesample', 'create', '', { name: 'n' })
    for (let n = 0; n < 3; n += 1) await loader.load(codesample, id, { fresh: true })
    expect(reads).toBe(1)

    await bench.must('codesample', 'change', id, { name: 'm' }, { revision: 1 })
    expect((await loader.load(codesample, id, { fresh: true })).state).toMatchObject({ fields: { name: 'm' } })
    expect(reads).toBe(2)
  } finally {
    await bench.close()
  }
})
