import type { Patience } from './patience.ts'

/**
 * Yields a read's results, each step within the patience. Time spent by the reader between steps does not count. The
 * library cannot end the call of an abandoned read: it ends with its client.
 */
export async function* patiently<T>(source: AsyncIterable<T>, patience: Patience): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await patience.within(iterator.next())
      if (done) return
      yield value
      patience.renew()
    }
  } finally {
    iterator.return?.().catch(() => undefined)
  }
}
