import { useRef } from 'react'
import { type NavigateOptions, useNavigate, useNavigation } from 'react-router'

/**
 * Navigates after the server's answer to an action. Call the returned function when the action starts; its result does
 * nothing if the user has left the page or is leaving it.
 */
export const useGuardedNavigate = () => {
  const navigate = useNavigate()
  const { location: next } = useNavigation()
  const leaving = useRef(next)
  leaving.current = next
  return () => {
    const from = window.location.pathname
    return async (to: string, options?: NavigateOptions): Promise<void> => {
      if (leaving.current === undefined && window.location.pathname === from) await navigate(to, options)
    }
  }
}
