import { useEffect, useState } from 'react'

/** The value once it has not changed for so many milliseconds; until then the one before. */
export const useDebouncedValue = <T>(value: T, ms: number): T => {
  const [resting, setResting] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setResting(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return resting
}
