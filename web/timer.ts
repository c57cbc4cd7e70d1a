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

/** The value once it has not changed for so many milliseconds; until then the one before. */
export const useDebouncedValue = <T>(value: T, ms: number): T => {
  const [resting, setResting] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setResting(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return resting
}

const timers = new Map<string, ReturnType<typeof setTimeout>>()

export const clearNamedTimer = (name: string): void => {
  clearTimeout(timers.get(name))
  timers.delete(name)
}

/** Runs something once after a time; a timer of the same name that is still waiting is cleared. */
export const setNamedTimer = (name: string, run: () => void, ms: number): void => {
  clearNamedTimer(name)
  const timer = setTimeout(() => {
    timers.delete(name)
    run()
  }, ms)
  timers.set(name, timer)
}
