import type { Patience } from './patience.ts'

/**
 * What a read yields, each step within the patience. Time that the reader takes between steps does not count. The library
 * cannot end the call of a read that is left in the middle: it ends with its client.
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
