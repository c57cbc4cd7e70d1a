import { useCallback, useMemo, useState } from 'react'

interface Toggles<T> {
  readonly on: ReadonlySet<T>
  readonly set: (values: readonly T[], on: boolean) => void
}

/** Several things that are each on or off. */
export const useToggles = <T>(initial: Iterable<T>): Toggles<T> => {
  const [on, setOn] = useState<ReadonlySet<T>>(() => new Set(initial))
  const set = useCallback((values: readonly T[], isOn: boolean) => {
    setOn(held => (isOn ? held.union(new Set(values)) : held.difference(new Set(values))))
  }, [])
  return useMemo(() => ({ on, set }), [on, set])
}
