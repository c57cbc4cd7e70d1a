import { useRef } from 'react'
import { type NavigateOptions, useNavigate, useNavigation, useSearchParams } from 'react-router'

/** Values to set, by their names; one that is empty or undefined goes. */
export type AddressChange = Readonly<Record<string, string | undefined>>

const withChange = (params: URLSearchParams, change: AddressChange): URLSearchParams => {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

/**
 * Page state in the query of the address. Updates start from the current address, not the last render: else the second
 * of two updates in a row would undo the first.
 */
export const useAddress = () => {
  const [params, setParams] = useSearchParams()
  const replace = (next: (before: URLSearchParams) => URLSearchParams): void =>
    setParams(next(new URLSearchParams(window.location.search)), { replace: true })
  return {
    params,
    replace,
    put: (change: AddressChange): void => replace(before => withChange(before, change)),
    /** As a link, from what is drawn. */
    addressOf: (change: AddressChange): string => `?${withChange(params, change)}`,
  }
}

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
