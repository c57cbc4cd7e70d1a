import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createFlow } from '#domain/flow/document/document.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { exportFlow } from '#domain/flow/file/export-flow.ts'
import { type FlowJob, type FlowState, performFlowJob } from './flow-job.ts'
import { openFlowWork } from './flow-work.ts'

const fileOf = (blocks: number, said: string) => {
  const operators = Object.fromEntries(
    Array.from({ length: blocks }, (_, index) => [
      `b${index}`,
      {
        type: 'text',
        title: `Text ${index}`,
        top: index * 10,
        left: 0,
        properties: { text: `<p>${said} ${index}</p>` },
      },
    ]),
  )
  return { format: 'parley-flow', version: 1, operators, links: {} } as const
}
const stateOf = (blocks: number): FlowState => [Y.encodeStateAsUpdate(importFlow(fileOf(blocks, 'Olá')))]
const replaced = (state: FlowState, blocks: number): FlowJob & { do: 'change' } => ({
  do: 'change',
  state,
  change: { kind: 'file', file: fileOf(blocks, 'Bom dia'), origin: 'import' },
  isFirst: false,
})
const apart = () => openFlowWork({ small: 0, idleMs: 50 })

describe('work on whole flows', () => {
  test('returns the same results in a worker thread as inline', async () => {
    const work = apart()
    const state = stateOf(20)
    const { written } = await work.perform(replaced(state, 20))
    expect(exportFlow(createFlow(...state, written?.update ?? new Uint8Array()))).toEqual(fileOf(20, 'Bom dia'))
    expect(written?.summary.changed).toHaveLength(20)
    const past = stateOf(20)
    const jobs: readonly FlowJob[] = [
      replaced([...state, written?.update ?? new Uint8Array()], 20),
      { do: 'file', state, hasScript: true },
      { do: 'difference', before: state, after: [...state, written?.update ?? new Uint8Array()] },
      { do: 'missing', state, past, blocks: ['b1', 'nobody'], inBoth: false },
      { do: 'references', state },
      { do: 'review', state, known: {}, settings: { parser: 'Jexl', pathParser: 'JSONPath' } },
    ]
    for (const job of jobs) expect(await work.perform(job)).toEqual(await performFlowJob(job))
  })

  test('keeps the thread of rooms and requests free: it takes a small part of what the work takes', async () => {
    const work = openFlowWork()
    const job = replaced(stateOf(600), 600)
    /** The least of three: the thread also collects garbage now and then, some of it of the files that share the process. */
    const least = async (perform: () => Promise<unknown>) => {
      const taken: number[] = []
      for (let run = 0; run < 3; run++) {
        const begun = process.threadCpuUsage()
        await perform()
        const { user, system } = process.threadCpuUsage(begun)
        taken.push(user + system)
      }
      return Math.min(...taken)
    }
    const here = await least(() => performFlowJob(job))
    expect(await least(() => work.perform(job))).toBeLessThan(here / 3)
  })

  test('fails only the broken job or the jobs of a crashed thread; later jobs get a new thread', async () => {
    const work = apart()
    const broken: FlowJob = { do: 'file', state: [Uint8Array.of(255, 255, 255)], hasScript: false }
    const sound: FlowJob = { do: 'file', state: stateOf(1), hasScript: false }
    const [refused, answered] = await Promise.allSettled([work.perform(broken), work.perform(sound)])
    expect([refused.status, answered.status]).toEqual(['rejected', 'fulfilled'])
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(JSON.parse(await work.perform(sound))).toEqual(fileOf(1, 'Olá'))
  })
})
