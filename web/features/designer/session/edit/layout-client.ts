import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js'

/** What lays out stays for so long after it was wanted, ms: its code takes longer to read than many a flow to lay out. */
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

/** Fetches and starts what lays out, where somebody may ask for it soon. */
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
