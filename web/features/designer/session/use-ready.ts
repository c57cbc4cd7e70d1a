import { startTransition, useEffect, useState } from 'react'
import type { Store } from '../model/store.ts'

/**
 * Whether there is something to show. A large flow has just been read in one go then: what shows it is rendered after
 * that, in slices, so that neither stops the page for long.
 */
export const useReady = (ready: Store<boolean>): boolean => {
  const [shown, setShown] = useState<Store<boolean>>()
  useEffect(() => {
    const look = () => {
      if (ready.get()) startTransition(() => setShown(ready))
    }
    look()
    return ready.subscribe(look)
  }, [ready])
  return shown === ready
}
