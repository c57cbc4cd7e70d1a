import { type ReactNode, useEffect, useRef } from 'react'

interface TriedResultProps {
  /** Another one is another result. */
  readonly result: object | undefined
  readonly children: ReactNode
}

/** Result of a try; scrolls into view. */
export const TriedResult = ({ result, children }: TriedResultProps) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result !== undefined) place.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <div ref={place} className="pl-tried" aria-live="polite">
      {children}
    </div>
  )
}
