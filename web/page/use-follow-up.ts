import { useRef } from 'react'
import { type NavigateOptions, useNavigate, useNavigation } from 'react-router'

/**
 * Navigation that follows an act once the server has answered. Call the answer of this when the act begins; what it
 * returns does nothing when the person has gone to another page meanwhile, or is on the way to one.
 */
export const useFollowUp = () => {
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
