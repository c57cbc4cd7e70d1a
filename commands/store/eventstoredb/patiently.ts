import type { Patience } from './patience.ts'

/**
 * What a read yields, each step within the patience. Time that the reader takes between steps does not count; a read
 * that is left in the middle is given up. With `askElse`, a question that the server answers at once, the read may be
 * one that it has to search for.
 */
export async function* patiently<T>(
  source: AsyncIterable<T>,
  patience: Patience,
  askElse?: () => Promise<unknown>,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = iterator.next()
      const { done, value } = await (askElse === undefined
        ? patience.within(next)
        : patience.whileSearched(next, askElse))
      if (done) return
      yield value
      patience.renew()
    }
  } finally {
    iterator.return?.().catch(() => undefined)
  }
}
