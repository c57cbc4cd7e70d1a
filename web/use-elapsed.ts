import { useEffect, useState } from 'react'

/** Whether so many milliseconds have passed since the first rendering, or since `isBegun` became true. */
export const useElapsed = (ms: number, isBegun = true): boolean => {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!isBegun) return
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [ms, isBegun])
  return isOver
}
