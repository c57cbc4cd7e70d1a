import { startTransition, useEffect, useState } from 'react'
import type { Store } from '../model/store.ts'

/**
 * Whether the flow can be shown. A large flow was just read in one task: its view renders afterwards, in slices, so
 * that neither blocks the page for long.
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
