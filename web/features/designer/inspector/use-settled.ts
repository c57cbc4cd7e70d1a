import { useEffect, useRef, useState } from 'react'

/** A value as it was when the pointer was last up: pressing a block begins a drag, which must not wait for a form. */
export const useSettled = <T>(value: T): T => {
  const [settled, settle] = useState(value)
  const pressed = useRef(false)
  const latest = useRef(value)
  latest.current = value
  useEffect(() => {
    const down = () => {
      pressed.current = true
    }
    const up = () => {
      pressed.current = false
      // Not in the frame of the drop itself.
      setTimeout(() => settle(latest.current))
    }
    window.addEventListener('pointerdown', down, true)
    window.addEventListener('pointerup', up, true)
    window.addEventListener('pointercancel', up, true)
    return () => {
      window.removeEventListener('pointerdown', down, true)
      window.removeEventListener('pointerup', up, true)
      window.removeEventListener('pointercancel', up, true)
    }
  }, [])
  useEffect(() => {
    if (!pressed.current) settle(value)
  }, [value])
  return settled
}
