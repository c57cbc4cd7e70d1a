import { type RefObject, useEffect, useRef } from 'react'
import { BOTTOM_INSET } from './notice.ts'

/** Tells notices how much of the bottom of the page a bar takes. */
export const useBottomInset = (): RefObject<HTMLDivElement | null> => {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = bar
    if (current === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(BOTTOM_INSET, `${current.offsetHeight}px`))
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty(BOTTOM_INSET)
    }
  }, [])
  return bar
}
