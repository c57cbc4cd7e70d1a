import { useEffect, useState } from 'react'

const MINUTE = 60_000

/** Now, in milliseconds since 1970, as it was at most a minute ago. */
export const useMinute = (): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  return now
}
