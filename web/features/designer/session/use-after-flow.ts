import { startTransition, useEffect, useState } from 'react'
import { whenIdle } from '#web/idle.ts'

/** False until the flow is on the screen: what stands around it comes after it, and stops nobody who begins to work. */
export const useAfterFlow = (): boolean => {
  const [after, setAfter] = useState(false)
  useEffect(() => whenIdle(() => startTransition(() => setAfter(true))), [])
  return after
}
