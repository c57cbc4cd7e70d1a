import { useEffect, useRef, useState } from 'react'
import { FORM } from './form-id.ts'
import { useSettled } from './use-settled.ts'

/** One line of what a form refuses. */
interface StickyError {
  readonly key: string
  readonly text: string
  /** It is refused no longer. */
  readonly isMended?: true
}

/** Current errors in the previous order, with fixed ones in their place. */
const heldWith = (before: readonly StickyError[], now: readonly StickyError[]): readonly StickyError[] => {
  const told = new Map(now.map(each => [each.key, each]))
  const known = new Set(before.map(({ key }) => key))
  const held = before.map((each): StickyError => told.get(each.key) ?? { ...each, isMended: true })
  return [...held, ...now.filter(({ key }) => !known.has(key))]
}

const isSame = (one: readonly StickyError[], other: readonly StickyError[]): boolean =>
  one.length === other.length &&
  one.every(({ key, text, isMended }, at) => {
    const beside = other[at]
    return key === beside?.key && text === beside.text && isMended === beside.isMended
  })

const formOf = () => document.getElementById(FORM)

/** Errors above a form: a fixed line stays until its field loses focus, so that nothing moves during typing. */
export const useHeld = (now: readonly StickyError[]): readonly StickyError[] => {
  const [held, hold] = useState(now)
  const latest = useRef(now)
  latest.current = now
  useEffect(() => {
    const isTyped = formOf()?.contains(document.activeElement) === true
    hold(before => {
      const next = isTyped ? heldWith(before, now) : now
      return isSame(before, next) ? before : next
    })
  }, [now])
  useEffect(() => {
    const form = formOf()
    const drop = () => hold(before => (isSame(before, latest.current) ? before : latest.current))
    form?.addEventListener('focusout', drop)
    return () => form?.removeEventListener('focusout', drop)
  }, [])
  return useSettled(held)
}
