import { useEffect, useState } from 'react'
import { useCanvas } from './canvas-context.ts'

/** Whether a block has its face yet: what comes into a moving view waits for it. */
export const useFace = (): boolean => {
  const { faces } = useCanvas()
  const [has, setHas] = useState(faces.atOnce)
  useEffect(() => (has ? undefined : faces.wait(() => setHas(true))), [faces, has])
  return has
}
