import { Readable } from 'node:stream'
import type { Patience } from './patience.ts'

/**
 * What a read yields, each step within the patience. Time that the reader takes between steps does not count; a read
 * that is left in the middle is given up.
 */
export async function* patiently<T>(source: AsyncIterable<T>, patience: Patience): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let isRead = false
  try {
    for (;;) {
      const { done, value } = await patience.within(iterator.next())
      isRead = done === true
      if (done) return
      yield value
      patience.renew()
    }
  } finally {
    if (!isRead) giveUp(source)
    iterator.return?.().catch(() => undefined)
  }
}

/**
 * Ends the call at the server too. The iterator of a stream does not: its `return` waits behind a `next` that never
 * comes, and the connection takes a hundred calls at most.
 */
const giveUp = (source: AsyncIterable<unknown>): void => {
  if (source instanceof Readable && 'cancel' in source && typeof source.cancel === 'function') {
    Promise.resolve(source.cancel()).catch(() => undefined)
    source.on('error', () => undefined)
    source.destroy()
  }
}
