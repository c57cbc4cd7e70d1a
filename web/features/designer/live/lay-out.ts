import type { ElkNode } from 'elkjs/lib/elk-api.js'

const startWorker = () => new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })

/** Lays a graph out beside the page; what does so is fetched when it is first wanted. Ends at once when it is called off. */
export const layOut = async (graph: ElkNode, signal: AbortSignal): Promise<ElkNode> => {
  const { default: Elk } = await import('elkjs/lib/elk-api.js')
  const elk = new Elk({ workerFactory: startWorker })
  const calledOff = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  try {
    return await Promise.race([elk.layout(graph), calledOff])
  } finally {
    elk.terminateWorker()
  }
}
