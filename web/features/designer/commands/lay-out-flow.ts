import type { TFunction } from 'i18next'
import { laidOutPlaces, layoutGraph } from '../model/layout-graph.ts'
import { shapeOf } from '../model/look.ts'
import type { Store } from '../model/store.ts'
import type { Designer, Notice } from '../session/designer.ts'
import { layOut } from '../session/edit/layout-client.ts'

/** Longer tasks show progress and can be canceled. Milliseconds. */
const LONG = 500

/** Announces a result, with undo or as a failure. */
export type Say = (text: string, end?: 'undo' | 'failed') => void

interface Tell {
  readonly said: Say
  readonly words: TFunction<'designer'>
  readonly notice: Store<Notice | undefined>
}

const running = new WeakMap<Designer, AbortController>()

/**
 * Lays out several selected blocks, or all, in one undo step; returns the number of moved blocks. Keeps others'
 * concurrent edits: writes only positions, of blocks that still exist. A second call restarts it.
 */
export const layOutFlow = async (designer: Designer, { said, words, notice }: Tell): Promise<number> => {
  const { canvas, actions } = designer
  const { selection, flow } = canvas
  running.get(designer)?.abort()
  const stop = new AbortController()
  running.set(designer, stop)
  const { blocks } = selection.get()
  const nodes = [...flow.get().nodes.values()].filter(node => shapeOf(node) === undefined)
  const ids = new Set(nodes.flatMap(({ id }) => (blocks.size < 2 || blocks.has(id) ? [id] : [])))
  const timer = setTimeout(() => {
    notice.set({
      text: words('said.layingOut'),
      tone: 'busy',
      action: { label: words('cancel'), run: () => stop.abort() },
    })
  }, LONG)
  try {
    const graph = await layOut(layoutGraph(flow.get(), ids), stop.signal)
    const places = laidOutPlaces(graph, flow.get())
    actions.move(places)
    said(words('said.tidied', { count: places.size }), places.size > 0 ? 'undo' : undefined)
    return places.size
  } catch {
    if (running.get(designer) === stop) said(words(stop.signal.aborted ? 'said.notLaidOut' : 'said.noLayout'), 'failed')
    return 0
  } finally {
    clearTimeout(timer)
  }
}
