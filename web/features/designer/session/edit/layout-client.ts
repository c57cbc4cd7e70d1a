import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js'

/** Lifetime of an idle layout worker, ms: parsing its code takes longer than laying out most flows. */
const STAY = 60_000

const startWorker = () => new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })

let held: Promise<ELK> | undefined
let leaving: ReturnType<typeof setTimeout> | undefined

/** Ends what lays out, in the middle of its work if need be. */
export const endLayout = (): void => {
  clearTimeout(leaving)
  void held?.then(
    elk => elk.terminateWorker(),
    () => {},
  )
  held = undefined
}

const stayAwhile = () => {
  clearTimeout(leaving)
  leaving = setTimeout(endLayout, STAY)
}

const engine = (): Promise<ELK> => {
  held ??= import('elkjs/lib/elk-api.js').then(({ default: Elk }) => new Elk({ workerFactory: startWorker }))
  return held
}

/** Loads and starts the layout worker ahead of a likely use. */
export const prepareLayout = (): void => {
  engine().then(stayAwhile, endLayout)
}

/** Lays a graph out beside the page. Ends at once when it is called off. */
export const layOut = async (graph: ElkNode, signal: AbortSignal): Promise<ElkNode> => {
  signal.throwIfAborted()
  clearTimeout(leaving)
  const { promise: calledOff, reject } = Promise.withResolvers<never>()
  const callOff = () => {
    endLayout()
    reject(signal.reason)
  }
  signal.addEventListener('abort', callOff, { once: true })
  try {
    const elk = await Promise.race([engine(), calledOff])
    const laidOut = await Promise.race([elk.layout(graph), calledOff])
    stayAwhile()
    return laidOut
  } catch (error) {
    if (!signal.aborted) endLayout()
    throw error
  } finally {
    signal.removeEventListener('abort', callOff)
  }
}
