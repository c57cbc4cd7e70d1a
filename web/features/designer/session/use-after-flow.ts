import { startTransition, useEffect, useState } from 'react'
import { whenIdle } from '#web/idle.ts'

/** False until the flow is on the screen: the surrounding parts render later, without delaying the first input. */
export const useAfterFlow = (): boolean => {
  const [after, setAfter] = useState(false)
  useEffect(() => whenIdle(() => startTransition(() => setAfter(true))), [])
  return after
}
